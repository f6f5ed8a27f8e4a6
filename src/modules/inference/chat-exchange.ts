import type { Response } from 'express';
import type { ApiKeyPrincipal } from '../../auth/principal.js';
import type { AnswerForm } from './answer/answer-form.js';
import type { GenerationDraft } from './generation-draft.js';
import type { PreparedChat } from './request/prepared-chat.js';

/** A request that may be answered, and what it is answered with. */
export interface ChatExchange {
  readonly caller: ApiKeyPrincipal;
  readonly response: Response;
  readonly draft: GenerationDraft;
  readonly prepared: PreparedChat;
  /** How the answer is written. */
  readonly form: AnswerForm;
  /** Aborted with a ClientGoneError when the client leaves. */
  readonly signal: AbortSignal;
}
