import type { ReasoningEffort } from '../../../providers/chat-completion.js';
import type { JsonObject } from '../../../providers/json-values.js';
import { withMessagesFields } from '../../../providers/messages-fields.js';
import type { ReasoningOptions } from '../../dto/chat-completion-request.dto.js';

/**
 * Reads how a model is to think. One that shall not is asked for nothing, because many providers know no such wish, and its
 * thoughts are left out of the answer.
 *
 * @param thinking the field of that name
 * @param effort that of `output_config`
 * @returns undefined if the request says nothing
 */
export function reasoningOf(thinking: JsonObject | null | undefined, effort: unknown): ReasoningOptions | undefined {
  const fields = { thinking: thinking ?? undefined, effort: effort ?? undefined };
  if (fields.thinking === undefined && fields.effort === undefined) return undefined;
  return withMessagesFields(wishOf(thinking, effort as ReasoningEffort | null | undefined), fields);
}

function wishOf(thinking: JsonObject | null | undefined, effort: ReasoningEffort | null | undefined): ReasoningOptions {
  if (thinking?.['type'] === 'disabled') return { exclude: true };
  return {
    ...(effort !== null && effort !== undefined && { effort }),
    ...(thinking?.['type'] === 'enabled' && { max_tokens: Number(thinking['budget_tokens']) }),
    ...(thinking?.['type'] === 'adaptive' && { enabled: true }),
  };
}
