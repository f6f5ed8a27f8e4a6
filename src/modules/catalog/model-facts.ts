export type { ImagePrice } from './dto/image-price.dto.js';
export type { ModelPricing } from './dto/model-pricing.dto.js';

// The composite facts of a model, as they are kept and answered (SERVICE.md, section 2.8, and the contract).

/** What a model reads and writes. */
export interface ModelArchitecture {
  readonly modality: string | null;
  readonly input_modalities: readonly string[];
  readonly output_modalities: readonly string[];
  readonly tokenizer?: string;
  readonly instruct_type?: string | null;
}

/** What the provider that comes first can do. */
export interface TopProvider {
  readonly context_length?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly is_moderated: boolean;
}

/** The parameters of requests that do not say. */
export type DefaultParameters = Readonly<Record<string, number | null>>;

/** How a model reasons. */
export interface ModelReasoning {
  readonly mandatory: boolean;
  readonly default_enabled?: boolean;
  readonly default_effort?: string | null;
  readonly supported_efforts?: readonly string[] | null;
  readonly supports_max_tokens?: boolean;
}

/** How a model has done in tests of others. */
export interface ModelBenchmarks {
  readonly artificial_analysis?: {
    readonly intelligence_index: number | null;
    readonly coding_index: number | null;
    readonly agentic_index: number | null;
  };
  readonly design_arena: readonly {
    readonly arena: string;
    readonly category: string;
    readonly elo: number;
    readonly win_rate: number;
    readonly rank: number;
  }[];
}

/** What lists of models can be filtered by, over and above what answers show. What is left out is not known. */
export interface ModelTraits {
  readonly categories?: readonly string[];
  readonly distillable?: boolean;
  /** From 0 to 1. */
  readonly tool_success_rate?: number;
}

/** A measured distribution. */
export interface Percentiles {
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p99: number;
}

/** The values of the parameter `tool_choice` that an endpoint takes. */
export interface ToolChoiceSupport {
  readonly auto: boolean;
  readonly function: boolean;
  readonly none: boolean;
  readonly required: boolean;
}

/** What was measured of an endpoint; null where nothing was. */
export interface EndpointMeasurements {
  readonly uptime_last_5m: number | null;
  readonly uptime_last_30m: number | null;
  readonly uptime_last_1d: number | null;
  readonly latency_last_30m: Percentiles | null;
  readonly throughput_last_30m: Percentiles | null;
}
