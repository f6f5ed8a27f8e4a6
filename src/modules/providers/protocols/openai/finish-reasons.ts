import type { FinishReason } from '../../chat-completion.js';
import { wordOf } from '../../json-values.js';

/** Words that providers of this form use, apart from those of the form itself. */
const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['error', 'error'],
  ['insufficient_system_resource', 'error'],
]);

/** Why a choice ended: the word of the gateway's form, and the provider's own. */
export interface FinishReasons {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

/** Reads a finish reason. A word that is not known means that the model stopped by itself. */
export function finishReasonsOf(value: unknown): FinishReasons {
  const word = wordOf(value);
  if (word === undefined) return { finish_reason: null, native_finish_reason: null };
  return { finish_reason: FINISH_REASONS.get(word.toLowerCase()) ?? 'stop', native_finish_reason: word };
}
