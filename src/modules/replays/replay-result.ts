import type { ObservedGuardrail } from '../generations/generation-details.js';

/** `failed` is one whose process has ended, or which met an error. */
export const REPLAY_STATES = ['running', 'finished', 'failed', 'cancelled'] as const;

export type ReplayState = (typeof REPLAY_STATES)[number];

/** What requests came to that a guardrail would have decided about in one way. Amounts are decimal text in US dollars. */
export interface ReplayedRule {
  readonly outcome: ObservedGuardrail['outcome'];
  readonly reason: ObservedGuardrail['reason'];
  readonly count: number;
  readonly costUsd: string;
}

/** The refused requests of one key. */
export interface ReplayedKey {
  readonly keyId: string;
  readonly count: number;
  readonly costUsd: string;
}

/** What a replay has found. */
export interface ReplayResult {
  readonly undecidedCount: number;
  readonly contentsRead: number;
  readonly refusedCount: number;
  readonly refusedCostUsd: string;
  readonly rules: readonly ReplayedRule[];
  /** Those with the most requests first. */
  readonly keys: readonly ReplayedKey[];
  readonly examples: readonly { readonly generationId: string; readonly reason: ObservedGuardrail['reason'] }[];
}
