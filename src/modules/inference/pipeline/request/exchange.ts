import type { Response } from 'express';
import type { ApiKeyPrincipal } from '../../../../auth/principal.js';
import type { AnswerEncoder } from '../../../codecs/client-codec.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import type { GenerationDraft } from './generation-draft.js';
import type { RateHeaders } from '../rates/rate-headers.js';
import type { PreparedRequest } from './prepared-request.js';

/** A request that has come, and what it is answered with. */
export interface OpenRequest {
  readonly caller: ApiKeyPrincipal;
  readonly response: Response;
  readonly draft: GenerationDraft;
  /** The headers that the clients of the operation read about limits per minute, besides those of every operation. */
  readonly rateHeaders?: RateHeaders | undefined;
}

/** A request that may be answered. */
export interface Exchange<Body> extends OpenRequest {
  readonly prepared: PreparedRequest<Body>;
  /** Aborted with a ClientGoneError when the client leaves, and with another error when the gateway gives the answer up. */
  readonly signal: AbortSignal;
}

/** A chat that may be answered. */
export interface ChatExchange extends Exchange<ClientChatRequest> {
  /** How the answer is written. */
  readonly encoder: AnswerEncoder;
}
