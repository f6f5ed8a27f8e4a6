import type { FinishReason } from '../../../providers/chat-completion.js';
import { type JsonObject, nonEmptyText, objectOf, wordOf } from '../../../providers/json-values.js';
import { messagesFieldsOf, type WithMessagesFields } from '../../../providers/messages-fields.js';
import { stopReasonOf } from '../../../providers/protocols/anthropic/stop-reasons.js';

/** What says why a choice ended. */
export interface Ended extends WithMessagesFields {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

/** The kinds of refusals that the form has. */
const CATEGORIES: ReadonlySet<string> = new Set([
  'cyber',
  'bio',
  'frontier_llm',
  'reasoning_extraction',
  'general_harms',
]);

/** Why a message ended. @param ended undefined where nothing says it */
export function stopFields(ended: Ended | undefined): {
  readonly stop_reason: string | null;
  readonly stop_sequence: string | null;
  readonly stop_details: object | null;
} {
  const reason = ended === undefined ? null : stopReasonOf(ended);
  const fields = messagesFieldsOf(ended);
  return {
    stop_reason: reason,
    stop_sequence: nonEmptyText(fields['stop_sequence']) ?? null,
    stop_details: reason === 'refusal' ? refusalOf(objectOf(fields['stop_details']) ?? {}) : null,
  };
}

/** What a provider of the form says of its refusal; nothing of others, whose kinds are not those of the form. */
function refusalOf({ category: said, explanation }: JsonObject): object {
  const category = wordOf(said);
  return {
    type: 'refusal',
    category: category !== undefined && CATEGORIES.has(category) ? category : null,
    explanation: nonEmptyText(explanation) ?? null,
  };
}
