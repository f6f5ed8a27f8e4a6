import type { OperationName } from './operations.js';

/** A call to a provider, as metrics and traces know it. */
export interface ProviderCall {
  /** The word of OpenTelemetry's conventions for what is asked (`gen_ai.operation.name`). */
  readonly operation: OperationName;
  /** The slug of a provider of the catalog. */
  readonly provider: string;
  /** The id of a model of the catalog. */
  readonly model: string;
  /** The provider's own name of the model. */
  readonly upstreamModel: string;
  /** The tag of the endpoint. */
  readonly endpoint: string;
  readonly isStreamed: boolean;
  /** The id of the record of the request that the call is for. */
  readonly generationId: string;
}

/**
 * What became of a call: an answer, or what went wrong. `abandoned` is one whose client has left, or whose answer was not read to its
 * end; `busy` and `share_used` are calls for which there was no connection left, of all or for the organization.
 */
export type CallOutcome =
  'answered' | 'refused' | 'unreachable' | 'timeout' | 'invalid' | 'busy' | 'share_used' | 'abandoned' | 'failed';

/** How a call ended. Nothing of it is content. */
export interface ProviderCallEnd {
  readonly outcome: CallOutcome;
  /** The status of the provider's answer; null when there was none. */
  readonly status: number | null;
  /** Seconds until the first token; null for what is not streamed, and when none came. */
  readonly firstTokenSeconds: number | null;
  /** Null where the provider reported none. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly reasoningTokens: number | null;
  readonly finishReasons: readonly string[];
  /** The provider's own id of its answer. */
  readonly responseId: string | null;
}
