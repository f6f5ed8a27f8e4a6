import { defineExplainedError } from '../../http/errors/define-error.js';
import type { DomainError } from '../../http/errors/domain-error.js';
import { refusingCounterIn, type RefusingCounter } from '../limits/limits.errors.js';
import type { LimitSubject, MetLimit } from './limits-of-key.js';
import type { SpendInterval } from './spend-interval.js';

/** A budget, or the limit of a key, that refuses a request. */
export interface RefusingBudget extends Pick<MetLimit, 'subject' | 'interval'> {
  /** The guardrail whose budget it is; absent for others, and in older records. */
  readonly id?: string;
}

/** Which limit refuses a request: whose it is, and of which interval; or a limit by condition and group. */
export type RefusingLimit = RefusingBudget | RefusingCounter;

/** The workspace has spent a budget of an interval. */
export class WorkspaceBudgetExceeded extends defineExplainedError(403, 'workspace_budget_exceeded') {
  constructor(readonly limit: MetLimit) {
    super(`Workspace ${limit.interval} budget of ${dollarsOf(limit.limitUsd)} exceeded. Contact your org admin.`);
  }
}

/** The key has spent its limit. */
export class KeyLimitExceeded extends defineExplainedError(403, 'key_limit_exceeded') {
  constructor(readonly limit: MetLimit) {
    super(`Key limit exceeded (${NAMES_OF_LIMITS[limit.interval]} limit).`);
  }
}

/** The key or member that the guardrail is assigned to has spent its budget. */
export class GuardrailBudgetExceeded extends defineExplainedError(403, 'guardrail_budget_exceeded') {
  constructor(readonly limit: MetLimit) {
    super(`Guardrail ${limit.interval} budget of ${dollarsOf(limit.limitUsd)} exceeded. Contact your org admin.`);
  }
}

/** What a request cannot pay for. */
export interface Shortage {
  /** How many tokens of the answer were asked for, or could come; 0 where a shorter answer would cost no less. */
  readonly requestedTokens: number;
  /** How many can be paid for with what is left of the limit. */
  readonly affordableTokens: number;
  readonly limit: MetLimit | RefusingCounter;
}

/** What is left of a limit does not pay for what the request may cost. */
export class InsufficientBudget extends defineExplainedError(402, 'insufficient_budget') {
  readonly limit: RefusingLimit;

  constructor({ requestedTokens, affordableTokens, limit }: Shortage) {
    super(
      requestedTokens === 0
        ? 'This request requires more credits: what is left of the limit does not pay for what it may cost.'
        : `This request requires more credits, or fewer max_tokens. You requested up to ${requestedTokens} tokens, but can only afford ${affordableTokens}.`,
      { detail: { limited_by: shownLimit(limit) } },
    );
    this.limit = shownLimit(limit);
  }
}

/** The refusals by limits that are met already. */
export const MET_LIMIT_REFUSALS = [WorkspaceBudgetExceeded, KeyLimitExceeded, GuardrailBudgetExceeded] as const;

/** The limit that an error refuses a request by; undefined for any other error. */
export function refusingLimitOf(error: unknown): RefusingLimit | undefined {
  if (error instanceof InsufficientBudget) return error.limit;
  if (MET_LIMIT_REFUSALS.some((refusal) => error instanceof refusal)) {
    return shownLimit((error as WorkspaceBudgetExceeded).limit);
  }
  return refusingCounterIn(error);
}

/** What is said of a limit, without what only its service knows. */
function shownLimit(limit: MetLimit | RefusingCounter): RefusingLimit {
  if (limit.subject === 'limit') return limit;
  const { subject, interval, guardrailId } = limit;
  return { subject, interval, ...(guardrailId !== null && { id: guardrailId }) };
}

const NAMES_OF_LIMITS: Readonly<Record<SpendInterval, string>> = {
  lifetime: 'total',
  monthly: 'monthly',
  weekly: 'weekly',
  daily: 'daily',
};

const REFUSALS: Readonly<Record<LimitSubject, new (limit: MetLimit) => DomainError>> = {
  workspace: WorkspaceBudgetExceeded,
  key: KeyLimitExceeded,
  guardrail: GuardrailBudgetExceeded,
};

/** The refusal of a request by a limit that is met already (docs/budgets.md#refusals). */
export function refusalOf(limit: MetLimit): DomainError {
  return new REFUSALS[limit.subject](limit);
}

function dollarsOf(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
