import type { ChatMessage } from '../../chat-completion.js';
import type { JsonObject } from '../../json-values.js';
import { ANTHROPIC_FORMAT } from '../reasoning-format.js';

/** Providers that want back what their models thought. Others of this form refuse messages with fields that they do not know. */
const WANT_REASONING_BACK: ReadonlySet<string> = new Set([
  'alibaba',
  'deepseek',
  'minimax',
  'moonshotai',
  'siliconflow',
  'xiaomi',
  'z-ai',
]);

/**
 * What a model thought in an earlier turn, in the form that its provider wants it back.
 *
 * @returns details that a provider of this form gave, untouched and in order; those of other forms are left out
 */
export function returnedReasoning(
  { reasoning, reasoning_details: details }: ChatMessage,
  provider: string,
): { readonly reasoning_content?: string; readonly reasoning_details?: readonly JsonObject[] } {
  const own = details?.filter(({ format }) => format !== ANTHROPIC_FORMAT) ?? [];
  return {
    ...(typeof reasoning === 'string' && WANT_REASONING_BACK.has(provider) ? { reasoning_content: reasoning } : {}),
    ...(own.length === 0 ? {} : { reasoning_details: own }),
  };
}
