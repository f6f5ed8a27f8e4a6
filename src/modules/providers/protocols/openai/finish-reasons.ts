import type { FinishReason } from '../../chat-completion.js';
import { wordOf } from '../../json-values.js';

/** Words that providers of this form use, apart from those of the form itself. */
const WORDS: Readonly<Record<FinishReason, readonly string[]>> = {
  stop: [],
  length: [
    'max_tokens',
    'model_length',
    'max_output_tokens',
    'max_length',
    'length_limit',
    'model_context_window_exceeded',
  ],
  tool_calls: ['tool_use', 'function_call', 'tool_call', 'function_calls'],
  content_filter: [
    'sensitive',
    'safety',
    'recitation',
    'blocklist',
    'prohibited_content',
    'spii',
    'content_filtered',
    'guardrail_intervened',
    'image_safety',
    'image_prohibited_content',
    'image_recitation',
    'refusal',
  ],
  error: [
    'insufficient_system_resource',
    'network_error',
    'abort',
    'aborted',
    'cancelled',
    'malformed_function_call',
    'function_call_filter',
    'unexpected_tool_call',
  ],
};

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries(WORDS).flatMap(([reason, words]) => [reason, ...words].map((word) => [word, reason as FinishReason])),
);

/** What some servers write in place of the value null. */
const NO_REASON: ReadonlySet<string> = new Set(['', 'null']);

/** Why a choice ended: the word of the gateway's form, and the provider's own. */
export interface FinishReasons {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

const UNFINISHED: FinishReasons = { finish_reason: null, native_finish_reason: null };

/**
 * Reads a finish reason. A word that is not known means that the model stopped by itself. Some providers write particulars behind
 * a colon.
 */
export function finishReasonsOf(value: unknown): FinishReasons {
  if (value === null || value === undefined) return UNFINISHED;
  const word = wordOf(value);
  if (word === undefined) return UNFINISHED;
  const known = word.toLowerCase().split(':', 1)[0]!.trim();
  if (NO_REASON.has(known)) return UNFINISHED;
  return { finish_reason: FINISH_REASONS.get(known) ?? 'stop', native_finish_reason: word };
}

/** Whether an answer ended because the model had said what it wanted to: what it called is whole then. */
export function isOwnEnd(reason: FinishReason | null): boolean {
  return reason === 'stop' || reason === 'tool_calls';
}

/**
 * The reason for which a choice ended that called tools, or did not: many servers say that a model stopped where it has called
 * a tool, and clients would not run that.
 *
 * @param reasons of the provider
 */
export function reasonsWithCalls(reasons: FinishReasons, hasCalled: boolean): FinishReasons {
  return hasCalled && reasons.finish_reason === 'stop' ? { ...reasons, finish_reason: 'tool_calls' } : reasons;
}

/** The reason for a complete choice without a reason of its provider. */
export function ownEnd(hasCalled: boolean): FinishReasons {
  return { finish_reason: hasCalled ? 'tool_calls' : 'stop', native_finish_reason: null };
}
