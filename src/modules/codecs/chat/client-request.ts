import type { QUANTIZATIONS, REASONING_EFFORTS } from '../../catalog/model-vocabulary.js';
import type { ChatMessage, FunctionTool, ToolChoice } from './chat-completion.js';
import type { JsonObject } from './json-object.js';
import type { MESSAGES_FIELDS } from './messages-fields.js';

/** By what the endpoints of a request can be sorted. */
export const SORTS = ['price', 'throughput', 'latency', 'exacto'] as const;

export type Sort = (typeof SORTS)[number];

/** A bound of a measured value: of its median, or of its percentiles by name. */
type PercentileBound = number | Readonly<Partial<Record<'p50' | 'p75' | 'p90' | 'p99', number>>>;

/** Which providers a request is sent to, and in which order (docs/interface/inference.md#providers). */
export interface ProviderPreferences {
  readonly order?: readonly string[] | null;
  readonly only?: readonly string[] | null;
  readonly ignore?: readonly string[] | null;
  readonly allow_fallbacks?: boolean | null;
  readonly require_parameters?: boolean | null;
  readonly data_collection?: 'allow' | 'deny' | null;
  readonly zdr?: boolean | null;
  readonly enforce_distillable_text?: boolean | null;
  readonly quantizations?: readonly (typeof QUANTIZATIONS)[number][] | null;
  readonly sort?: Sort | { readonly by?: Sort | null; readonly partition?: 'model' | 'none' | null } | null;
  readonly max_price?: Readonly<
    Partial<Record<'prompt' | 'completion' | 'request' | 'image' | 'audio', string | number>>
  > | null;
  readonly preferred_min_throughput?: PercentileBound | null;
  readonly preferred_max_latency?: PercentileBound | null;
}

/** The settings that the requests of every client dialect share. */
export interface ClientSettings {
  readonly preset?: string;
  readonly provider?: ProviderPreferences | null;
  readonly route?: 'fallback' | 'sort' | null;
  readonly stream?: boolean | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly top_k?: number | null;
  readonly session_id?: string | null;
  readonly plugins?: readonly JsonObject[] | null;
  readonly trace?: JsonObject | null;
  readonly inference_geo?: 'us' | 'global' | null;
}

/** The further settings of the dialects of OpenAI. */
export interface ClientModelSettings extends ClientSettings {
  readonly model?: string;
  readonly models?: readonly string[];
  readonly frequency_penalty?: number | null;
  readonly presence_penalty?: number | null;
  readonly service_tier?: string | null;
  readonly prompt_cache_key?: string | null;
  readonly user?: string | null;
}

/** The further settings of chats and of completions. */
export interface ClientCompletionSettings extends ClientModelSettings {
  readonly stream_options?: JsonObject | null;
  readonly max_tokens?: number | null;
  readonly min_p?: number | null;
  readonly top_a?: number | null;
  readonly repetition_penalty?: number | null;
  readonly seed?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly logit_bias?: Readonly<Record<string, number>> | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
}

/** How much a model thinks, and whether the answer shows it. */
export interface ClientReasoning {
  readonly effort?: (typeof REASONING_EFFORTS)[number] | null;
  readonly summary?: 'auto' | 'concise' | 'detailed' | null;
  readonly max_tokens?: number | null;
  readonly enabled?: boolean | null;
  readonly exclude?: boolean | null;
}

/**
 * A chat as a client asks the gateway for it, with the fields that only the gateway reads. Requests of other client dialects are
 * decoded to it. Fields that are not named here are handed on (docs/interface/inference.md#chat-completions).
 */
export interface ClientChatRequest extends ClientCompletionSettings {
  readonly messages: readonly ChatMessage[];
  readonly max_completion_tokens?: number | null;
  readonly logprobs?: boolean | null;
  readonly top_logprobs?: number | null;
  readonly tools?: readonly FunctionTool[] | null;
  readonly tool_choice?: ToolChoice | null;
  readonly prediction?: { readonly content?: unknown } | null;
  readonly parallel_tool_calls?: boolean | null;
  readonly response_format?: JsonObject | null;
  readonly reasoning?: ClientReasoning | null;
  readonly reasoning_effort?: (typeof REASONING_EFFORTS)[number] | null;
  readonly include_reasoning?: boolean | null;
  readonly modalities?: readonly ('text' | 'image' | 'audio')[] | null;
  readonly debug?: JsonObject | null;
  readonly speed?: string | null;
  /** Of a request that came in the dialect of the Messages API. */
  readonly [MESSAGES_FIELDS]?: JsonObject;
  readonly [name: string]: unknown;
}
