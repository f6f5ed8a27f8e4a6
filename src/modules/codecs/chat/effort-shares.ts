import type { ReasoningEffort } from './chat-completion.js';

/** Which share of an answer's tokens each effort leaves to the reasoning (docs/interface/providers.md#reasoning). */
export const EFFORT_SHARES: readonly (readonly [effort: Exclude<ReasoningEffort, 'max' | 'none'>, share: number])[] = [
  ['xhigh', 0.95],
  ['high', 0.8],
  ['medium', 0.5],
  ['low', 0.2],
  ['minimal', 0.1],
];

/** The effort whose share of an answer is nearest to one. */
export function nearestEffort(share: number): ReasoningEffort {
  const distances = EFFORT_SHARES.map(([effort, its]) => [effort, Math.abs(share - its)] as const);
  return distances.reduce((nearest, other) => (other[1] < nearest[1] ? other : nearest))[0];
}
