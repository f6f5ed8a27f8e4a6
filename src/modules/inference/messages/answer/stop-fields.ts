import type { FinishReason } from '../../../providers/chat-completion.js';
import { nonEmptyText } from '../../../providers/json-values.js';
import { messagesFieldsOf, type WithMessagesFields } from '../../../providers/messages-fields.js';
import { stopReasonOf } from '../../../providers/protocols/anthropic/stop-reasons.js';

/** What says why a choice ended. */
export interface Ended extends WithMessagesFields {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

/** Why a message ended. @param ended undefined where nothing says it */
export function stopFields(ended: Ended | undefined): {
  readonly stop_reason: string | null;
  readonly stop_sequence: string | null;
  readonly stop_details: object | null;
} {
  const reason = ended === undefined ? null : stopReasonOf(ended);
  return {
    stop_reason: reason,
    stop_sequence: nonEmptyText(messagesFieldsOf(ended)['stop_sequence']) ?? null,
    stop_details: reason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null,
  };
}
