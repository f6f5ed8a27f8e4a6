import type { ModelCapabilities } from '../../catalog/index.js';
import type { ChatRequest } from '../chat/chat-completion.js';
import { nonEmptyText } from '../chat/json-values.js';
import { MESSAGES_FIELDS, messagesFieldsOf } from '../chat/messages-fields.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';

/**
 * A request with the beta features that its provider takes, where that is known: clouds refuse a request with any other, and clients send
 * those of the model's own provider.
 */
export function withTakenBetas(
  request: ChatRequest,
  { betas: taken }: ModelCapabilities,
  adjustments: RequestAdjustments,
): ChatRequest {
  const fields = messagesFieldsOf(request);
  const given = nonEmptyText(fields['betas'])
    ?.split(',')
    .map((beta) => beta.trim());
  if (given === undefined || taken === undefined) return request;
  const sent = given.filter((beta) => taken.includes(beta));
  if (sent.length === given.length) return request;
  adjustments.leftOut('betas', 'refused_by_model');
  const { betas: _betas, ...others } = fields;
  return { ...request, [MESSAGES_FIELDS]: sent.length === 0 ? others : { ...others, betas: sent.join(',') } };
}
