import type { Reasoning } from '../../chat-completion.js';
import { EFFORT_SHARES } from '../effort-shares.js';

/** Tokens: the least and the most that may be asked for. */
const MINIMUM_BUDGET = 1_024;
const MAXIMUM_BUDGET = 128_000;

/**
 * How many tokens a model may think.
 *
 * @param reasoning what the caller asks for
 * @param longest the most tokens that the answer may have, reasoning included. It is never raised, because so much was
 *   reserved
 * @returns undefined if the model is not to think, or if the answer has no room for it
 */
export function thinkingBudgetOf(reasoning: Reasoning | null | undefined, longest: number): number | undefined {
  const wanted = reasoning == null ? undefined : wantedTokens(reasoning, longest);
  if (wanted === undefined || longest <= MINIMUM_BUDGET) return undefined;
  return Math.min(Math.max(wanted, MINIMUM_BUDGET), MAXIMUM_BUDGET, longest - 1);
}

function wantedTokens({ effort, max_tokens: tokens, enabled }: Reasoning, longest: number): number | undefined {
  if (enabled === false || effort === 'none') return undefined;
  if (tokens != null) return tokens;
  const named = effort === 'max' ? 'xhigh' : (effort ?? (enabled === true ? 'medium' : undefined));
  const share = EFFORT_SHARES.find(([name]) => name === named)?.[1];
  return share === undefined ? undefined : Math.floor(share * longest);
}
