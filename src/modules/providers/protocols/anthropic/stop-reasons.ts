import type { FinishReason } from '../../chat-completion.js';
import { wordOf } from '../../json-values.js';

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);

/** Reads why a message ended. A word that is not known means that the model stopped by itself. */
export function finishReasonsOf(value: unknown): {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
} {
  const word = wordOf(value);
  if (word === undefined) return { finish_reason: null, native_finish_reason: null };
  return { finish_reason: FINISH_REASONS.get(word) ?? 'stop', native_finish_reason: word };
}
