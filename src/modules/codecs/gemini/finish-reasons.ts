import type { FinishReason } from '../chat/chat-completion.js';
import { wordOf } from '../chat/json-values.js';

/** Why a candidate ended: the word of the gateway's form, and the provider's own. */
export interface FinishReasons {
  readonly finish_reason: FinishReason | null;
  readonly native_finish_reason: string | null;
}

export const UNFINISHED: FinishReasons = { finish_reason: null, native_finish_reason: null };

/** What a candidate has brought until its end. */
export interface Brought {
  /** Whether it has called functions, in any part of a stream: the provider may end it later, and with the word for any end. */
  readonly hasCalled: boolean;
  /** Whether it has said or called anything, or has an image. */
  readonly hasSaid: boolean;
}

/** The words by what they mean (https://ai.google.dev/api/generate-content#FinishReason). */
const WORDS = {
  length: ['MAX_TOKENS', 'CONTINUATION'],
  content_filter: [
    'SAFETY',
    'RECITATION',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'IMAGE_SAFETY',
    'IMAGE_PROHIBITED_CONTENT',
    'IMAGE_RECITATION',
    'MODEL_ARMOR',
  ],
  error: [
    'MALFORMED_FUNCTION_CALL',
    'MALFORMED_RESPONSE',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
    'MISSING_THOUGHT_SIGNATURE',
  ],
} as const satisfies Partial<Record<FinishReason, readonly string[]>>;

const REASONS: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries(WORDS).flatMap(([reason, words]) => words.map((word) => [word, reason as FinishReason])),
);

/** Words that say nothing of why, and mean a failure where nothing was said. */
const UNEXPLAINED: ReadonlySet<string> = new Set(['LANGUAGE', 'OTHER', 'NO_IMAGE', 'IMAGE_OTHER']);

/** Reads why a candidate ended. A word that is not known means that the model stopped by itself. */
export function finishReasonsOf(value: unknown, { hasCalled, hasSaid }: Brought): FinishReasons {
  const word = wordOf(value);
  if (word === undefined) return UNFINISHED;
  const known = REASONS.get(word);
  if (known !== undefined) return { finish_reason: known, native_finish_reason: word };
  if (UNEXPLAINED.has(word) && !hasSaid) return { finish_reason: 'error', native_finish_reason: word };
  return { finish_reason: hasCalled ? 'tool_calls' : 'stop', native_finish_reason: word };
}
