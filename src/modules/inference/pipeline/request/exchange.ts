import type { Response } from 'express';
import type { AnswerEncoder } from '../../../codecs/client-codec.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import type { RequestCache } from '../cache/request-cache.js';
import type { Admitted, Decision } from './decision.js';
import type { InferenceRequest } from './inference-request.js';
import type { InferenceOperation, RoutedBody } from './operation.js';
import type { Outcome } from './outcome.js';

/** A request, what was decided about it so far, and what became of it. */
export interface RequestState {
  readonly request: InferenceRequest;
  readonly decision: Decision<unknown>;
  readonly outcome: Outcome;
}

/** A request that may be answered. */
export interface Exchange<Body extends RoutedBody> extends RequestState {
  readonly operation: InferenceOperation<Body>;
  readonly response: Response;
  readonly decision: Admitted<Body>;
  /** The cache of answers; absent where the request goes past it. */
  readonly cache?: RequestCache | undefined;
  /** Aborted with a ClientGoneError when the client leaves, and with another error when the gateway gives the answer up. */
  readonly signal: AbortSignal;
}

/** A chat that may be answered. */
export interface ChatExchange extends Exchange<ClientChatRequest> {
  /** Writes the answer in the dialect of the client. */
  readonly encoder: AnswerEncoder;
}
