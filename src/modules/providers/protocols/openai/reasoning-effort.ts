import type { Reasoning, ReasoningEffort } from '../../chat-completion.js';
import { EFFORT_SHARES } from '../effort-shares.js';

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
  // `max` is a word of other forms.
  if (effort != null) return effort === 'max' ? 'xhigh' : effort;
  if (budget != null) return longest === undefined ? 'medium' : nearestEffort(budget / longest);
  return enabled === true ? 'medium' : undefined;
}

function nearestEffort(share: number): ReasoningEffort {
  const distances = EFFORT_SHARES.map(([effort, its]) => [effort, Math.abs(share - its)] as const);
  return distances.reduce((nearest, other) => (other[1] < nearest[1] ? other : nearest))[0];
}
