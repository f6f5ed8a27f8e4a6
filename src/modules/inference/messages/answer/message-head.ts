import type { AnswerOrigin } from '../../answer/answer-form.js';
import type { MessageUsage } from './message-usage.js';

/** A message without what the model says: its own id and model are the gateway's to say, not the provider's. */
export function messageHead({ draft, candidate: { model, endpoint } }: AnswerOrigin, usage: MessageUsage): object {
  return {
    id: draft.id,
    type: 'message',
    role: 'assistant',
    model: model.row.id,
    provider: endpoint.provider.name,
    content: [],
    container: null,
    diagnostics: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage,
  };
}
