import type { FinishReason } from '../../chat-completion.js';
import { type JsonObject, nonEmptyText, objectOf, wordOf } from '../../json-values.js';
import { withMessagesFields, type WithMessagesFields } from '../../messages-fields.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** The word of the Messages form for each reason that has one. */
const STOP_REASONS: ReadonlyMap<FinishReason, string> = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['content_filter', 'refusal'],
]);

/** Why an answer ended: the word of the gateway's form, the provider's own, the sequence at which it stopped, and what it says of a refusal. */
export interface FinishReasons extends WithMessagesFields {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

/**
 * Reads why a message ended. A word that is not known means that the model stopped by itself.
 *
 * @param ended what has `stop_reason`, `stop_sequence` and `stop_details`
 * @param hasCalled whether the model has called tools, which some servers do not say here
 */
export function finishReasonsOf(
  { stop_reason: reason, stop_sequence: sequence, stop_details: details }: JsonObject,
  hasCalled: boolean,
): FinishReasons {
  const word = wordOf(reason);
  if (word === undefined) return { finish_reason: null, native_finish_reason: null };
  const known = hasCalled && word === 'end_turn' ? 'tool_calls' : FINISH_REASONS.get(word);
  const reasons = { finish_reason: known ?? 'stop', native_finish_reason: word };
  return withMessagesFields(reasons, { stop_sequence: nonEmptyText(sequence), stop_details: objectOf(details) });
}

/** The Messages form's word for why an answer ended: the provider's own where it is one of that form. */
export function stopReasonOf({ finish_reason: reason, native_finish_reason: native }: FinishReasons): string | null {
  if (reason === null) return null;
  if (native !== null && FINISH_REASONS.get(native) === reason) return native;
  return STOP_REASONS.get(reason) ?? null;
}
