import type { Reasoning, ReasoningEffort } from '../../chat-completion.js';
import { nearestEffort } from '../effort-shares.js';

/**
 * The effort to ask a provider for that counts no tokens of reasoning.
 *
 * @param reasoning what the caller asks for
 * @param longest the most tokens that the answer may have; undefined if the request says nothing
 * @returns undefined if the provider is to decide
 */
export function reasoningEffortOf(
  { effort, max_tokens: budget, enabled }: Reasoning,
  longest: number | undefined,
): ReasoningEffort | undefined {
  if (enabled === false) return 'none';
  if (effort != null) return effort;
  if (budget != null) return longest === undefined ? 'medium' : nearestEffort(budget / longest);
  return enabled === true ? 'medium' : undefined;
}
