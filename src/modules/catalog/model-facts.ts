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

/** One price of an image model. */
export interface ImagePrice {
  readonly billable: string;
  readonly unit: string;
  readonly cost_usd: number;
  readonly variant?: string;
}
