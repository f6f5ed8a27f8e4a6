import type { PercentileStats as Percentiles } from './dto/model-endpoint.dto.js';

// The composite facts of a model, as they are stored and answered (docs/interface/catalog.md).

export type { ImagePrice } from './dto/image-model.dto.js';
export type { ToolChoiceSupport } from './dto/model-endpoint.dto.js';
export type { ModelPricing } from './dto/model-pricing.dto.js';
export type {
  ModelArchitecture,
  ModelBenchmarks,
  ModelReasoning,
  TopProviderInfo as TopProvider,
} from './dto/model.dto.js';
export type { Percentiles };

/** Default values of request parameters. */
export type DefaultParameters = Readonly<Record<string, number | null>>;

/** Facts that filters use and responses do not show. Absent facts are unknown. */
export interface ModelTraits {
  readonly categories?: readonly string[];
  readonly distillable?: boolean;
  /** From 0 to 1. */
  readonly tool_success_rate?: number;
  /** The most that an image of a prompt has. */
  readonly image_tokens?: number;
}

/** The kinds of work that measurements tell apart. */
export type Workload =
  | 'text_generation'
  | 'embeddings'
  | 'image_generation'
  | 'video_generation'
  | 'rerank'
  | 'tts'
  | 'stt'
  | 'decisions'
  | 'unknown';

/** Measurements of one kind of work at an endpoint. */
export interface WorkloadMeasurements {
  readonly latency: Percentiles | null;
  readonly throughput: Percentiles | null;
  readonly request_count: number | null;
}

/** Measurements of an endpoint; null if there are none. */
export interface EndpointMeasurements {
  readonly uptime_last_5m: number | null;
  readonly uptime_last_30m: number | null;
  readonly uptime_last_1d: number | null;
  readonly latency_last_30m: Percentiles | null;
  readonly throughput_last_30m: Percentiles | null;
  /** By the kind of work; absent if they are not told apart. */
  readonly perf_last_30m_by_workload?: Readonly<Partial<Record<Workload, WorkloadMeasurements>>>;
}
