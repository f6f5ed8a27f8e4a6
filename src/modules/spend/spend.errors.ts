import { defineExplainedError } from '../../api/errors/define-error.js';
import type { DomainError } from '../../api/errors/domain-error.js';
import type { MetLimit } from './met-limit.js';
import type { SpendInterval } from './spend-interval.js';

/** The workspace has spent a budget of an interval. */
export class WorkspaceBudgetExceeded extends defineExplainedError(403, 'workspace_budget_exceeded') {
  constructor({ interval, limitUsd }: MetLimit) {
    super(`Workspace ${interval} budget of ${dollarsOf(limitUsd)} exceeded. Contact your org admin.`);
  }
}

/** The key has spent its limit. */
export class KeyLimitExceeded extends defineExplainedError(403, 'key_limit_exceeded') {
  constructor({ interval }: MetLimit) {
    super(`Key limit exceeded (${NAMES_OF_LIMITS[interval]} limit).`);
  }
}

/** Whoever holds the guardrail, the key or its member, has spent its budget. */
export class GuardrailBudgetExceeded extends defineExplainedError(403, 'guardrail_budget_exceeded') {
  constructor({ interval, limitUsd }: MetLimit) {
    super(`Guardrail ${interval} budget of ${dollarsOf(limitUsd)} exceeded. Contact your org admin.`);
  }
}

/** The refusals of requests whose limits are met already. */
export const MET_LIMIT_REFUSALS = [WorkspaceBudgetExceeded, KeyLimitExceeded, GuardrailBudgetExceeded] as const;

const NAMES_OF_LIMITS: Readonly<Record<SpendInterval, string>> = {
  lifetime: 'total',
  monthly: 'monthly',
  weekly: 'weekly',
  daily: 'daily',
};

const REFUSALS: Readonly<Record<MetLimit['subject'], new (limit: MetLimit) => DomainError>> = {
  workspace: WorkspaceBudgetExceeded,
  key: KeyLimitExceeded,
  guardrail: GuardrailBudgetExceeded,
};

/** What a request is refused with whose limit is met already (docs/budgets.md#refusals). */
export function refusalOf(limit: MetLimit): DomainError {
  return new REFUSALS[limit.subject](limit);
}

function dollarsOf(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
