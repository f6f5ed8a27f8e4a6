import type { REASONING_EFFORTS } from '../../catalog/model-vocabulary.js';
import type { WithKnownModel } from './known-model.js';
import type { WithMessagesFields } from './messages-fields.js';
import type { ProviderFilter } from './provider-filter.js';

/**
 * The one internal form of a chat: that of `POST /chat/completions` (docs/interface/inference.md). Every dialect of requests
 * is read into it, and every protocol of providers is written from it and read back into it.
 */

/** A part of a message. Fields that are not named here are handed on. */
export interface ContentPart extends WithMessagesFields {
  readonly type: string;
  readonly text?: string;
  readonly [field: string]: unknown;
}

/** A call of a tool that the model asks for. Fields that are not named here are handed on, also of its function. */
export interface ToolCall extends WithMessagesFields {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

type ChatRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

/** Whether a message of this role instructs the model: `developer` is the newer name of `system`. */
export function isInstructing(role: unknown): role is 'system' | 'developer' {
  return role === 'system' || role === 'developer';
}

/** How many messages at the beginning of a conversation instruct the model. */
export function leadingInstructions(messages: readonly { readonly role: unknown }[]): number {
  const begin = messages.findIndex(({ role }) => !isInstructing(role));
  return begin === -1 ? messages.length : begin;
}

/** A message of a request. */
export interface ChatMessage extends WithMessagesFields {
  readonly role: ChatRole;
  readonly content?: string | readonly ContentPart[] | null;
  readonly name?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly ToolCall[] | null;
  readonly reasoning?: string | null;
  /** Handed back to the provider untouched and in order. */
  readonly reasoning_details?: readonly Readonly<Record<string, unknown>>[] | null;
  readonly [field: string]: unknown;
}

/** A function that a model may call. */
export interface FunctionTool extends WithMessagesFields {
  readonly type: string;
  readonly function?: {
    readonly name: string;
    readonly description?: string | null;
    readonly parameters?: Readonly<Record<string, unknown>> | null;
    readonly strict?: boolean | null;
  };
  readonly [field: string]: unknown;
}

export type ToolChoice =
  | 'none'
  | 'auto'
  | 'required'
  | {
      readonly type: string;
      readonly function?: { readonly name: string };
      /** The tools that may be called, and whether one is to be: as the caller sent it. */
      readonly allowed_tools?: unknown;
    };

export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** How much a model is to think before it answers. */
export interface Reasoning extends WithMessagesFields {
  readonly effort?: ReasoningEffort | null;
  readonly summary?: string | null;
  /** Tokens. */
  readonly max_tokens?: number | null;
  readonly exclude?: boolean | null;
  readonly enabled?: boolean | null;
}

/**
 * A request as a provider gets it: the fields that are the gateway's own are gone, and the model is the provider's name of it.
 * An absent field stays absent. Fields that are not named here are handed on by a protocol that speaks the same form.
 */
export interface ChatRequest extends WithMessagesFields, WithKnownModel {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean;
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly top_k?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly tools?: readonly FunctionTool[] | null;
  readonly tool_choice?: ToolChoice | null;
  readonly parallel_tool_calls?: boolean | null;
  readonly response_format?: Readonly<Record<string, unknown>> | null;
  readonly reasoning?: Reasoning | null;
  readonly user?: string | null;
  readonly metadata?: Readonly<Record<string, string>> | null;
  readonly service_tier?: string | null;
  readonly inference_geo?: string | null;
  readonly speed?: string | null;
  readonly [field: string]: unknown;
}

export const FINISH_REASONS = ['stop', 'length', 'tool_calls', 'content_filter', 'error'] as const;

export type FinishReason = (typeof FINISH_REASONS)[number];

/** Tokens that a provider counted. Those of the prompt contain the cached ones, those of the completion the reasoning. */
export interface TokenUsage extends WithMessagesFields {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number;
    readonly cache_write_tokens?: number;
    readonly audio_tokens?: number;
    readonly image_tokens?: number;
    readonly video_tokens?: number;
  } | null;
  readonly completion_tokens_details?: {
    readonly reasoning_tokens?: number | null;
    readonly audio_tokens?: number | null;
    readonly image_tokens?: number | null;
    readonly accepted_prediction_tokens?: number | null;
    readonly rejected_prediction_tokens?: number | null;
  } | null;
}

/** What a provider reported of the tokens of an answer, or of what it has said of one until now. */
export interface CountedUsage {
  readonly usage: TokenUsage;
  /** Whether it has not counted the tokens of the answer to the end: those of the usage are fewer then. */
  readonly isAnswerUncounted?: boolean;
  /** Whether it has not counted the tokens of the prompt: those of the usage are fewer then. */
  readonly isPromptUncounted?: boolean;
}

/** The message that a model answers with. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_details?: readonly Readonly<Record<string, unknown>>[];
  readonly tool_calls?: readonly ToolCall[];
  readonly refusal?: string | null;
  readonly [field: string]: unknown;
}

/** One answer of a model; a request may ask for several. */
export interface ChatChoice extends WithMessagesFields {
  readonly index: number;
  readonly message: AssistantMessage;
  readonly finish_reason: FinishReason | null;
  /** The provider's own word. */
  readonly native_finish_reason: string | null;
  readonly logprobs?: unknown;
  /** Azure's annotations, as they came. */
  readonly content_filter_results?: unknown;
  /** Why it has ended with `error`, though it has said something before. */
  readonly error?: { readonly code: number; readonly message: string };
}

/** What the filters of a provider say beside the choices of an answer, or of a chunk of one. */
interface WithProviderFilters {
  /** Azure's annotations of the prompt, as they came. */
  readonly promptFilterResults?: unknown;
  /** Annotations of another form. */
  readonly providerFilters?: readonly ProviderFilter[];
}

/** An answer as a protocol has read it. Id, model and provider are the gateway's to say. */
export interface ChatCompletion extends Omit<CountedUsage, 'usage'>, WithProviderFilters {
  /** The provider's id of its answer; null where it has none. */
  readonly upstreamId: string | null;
  readonly choices: readonly ChatChoice[];
  /** Null where the provider reported nothing. */
  readonly usage: TokenUsage | null;
  readonly systemFingerprint: string | null;
  readonly serviceTier: string | null;
}

/** A part of a tool call in a stream. Fields that are not named here are handed on, also of its function. */
export interface ToolCallDelta {
  readonly index: number;
  readonly id?: string;
  readonly type?: 'function';
  readonly function?: { readonly name?: string; readonly arguments?: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

/** What a chunk of a stream adds to a message. */
export interface ChatDelta {
  readonly role?: 'assistant';
  readonly content?: string | null;
  readonly reasoning?: string | null;
  readonly reasoning_details?: readonly Readonly<Record<string, unknown>>[];
  readonly tool_calls?: readonly ToolCallDelta[];
  readonly refusal?: string | null;
  readonly [field: string]: unknown;
}

/** What a chunk of a stream adds to a choice. */
export interface ChatChunkChoice extends WithMessagesFields {
  readonly index: number;
  readonly delta: ChatDelta;
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
  readonly logprobs?: unknown;
  /** Azure's annotations, as they came. */
  readonly content_filter_results?: unknown;
}

/** A part of a streamed answer as a protocol has read it. */
export interface ChatChunk extends Omit<CountedUsage, 'usage'>, WithProviderFilters {
  readonly upstreamId?: string | null;
  readonly choices: readonly ChatChunkChoice[];
  /** Usually with the last chunk only. */
  readonly usage?: TokenUsage | null;
  readonly systemFingerprint?: string | null;
  readonly serviceTier?: string | null;
}
