import { DataOf, ListOf } from '../../../http/schema/answer-shapes.js';
import { BooleanField, EnumField, NumberField, TimestampField, UuidField } from '../../../http/schema/fields.js';
import { BUDGET_RESETS, type BudgetReset } from '../budget-interval.js';
import { INCLUDE_BYOK_IN_BUDGETS } from './workspace-fields.dto.js';

const LIMIT_USD = {
  description:
    'What may be spent in the interval, in US dollars: less than in every wider interval that has a budget, and more than in every narrower one.',
  example: 100,
  exclusiveMinimum: 0,
} as const;

/** What a workspace may spend in an interval. */
export class WorkspaceBudget {
  @UuidField({ description: 'The budget.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60' })
  id: string;

  @UuidField({ description: 'The workspace.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  workspace_id: string;

  @NumberField(LIMIT_USD)
  limit_usd: number;

  @EnumField<NonNullable<BudgetReset>>(BUDGET_RESETS, {
    description: 'How often the budget starts anew; null for a lifetime budget, which never does.',
    example: 'monthly',
    nullable: true,
  })
  reset_interval: BudgetReset;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** The body of upsertWorkspaceBudget. */
export class UpsertWorkspaceBudgetRequest {
  @NumberField(LIMIT_USD)
  limit_usd: number;

  @BooleanField({
    ...INCLUDE_BYOK_IN_BUDGETS,
    description: `${INCLUDE_BYOK_IN_BUDGETS.description} When left out, as before.`,
    optional: true,
  })
  include_byok_in_budgets?: boolean;
}

/** The answer to getWorkspaceBudget. */
export class GetWorkspaceBudgetResponse extends DataOf(WorkspaceBudget) {
  @BooleanField(INCLUDE_BYOK_IN_BUDGETS)
  include_byok_in_budgets: boolean;
}

/** The answer to upsertWorkspaceBudget. */
export class UpsertWorkspaceBudgetResponse extends DataOf(WorkspaceBudget) {
  @BooleanField(INCLUDE_BYOK_IN_BUDGETS)
  include_byok_in_budgets: boolean;
}

/** The answer to listWorkspaceBudgets. */
export class ListWorkspaceBudgetsResponse extends ListOf(WorkspaceBudget) {
  @BooleanField(INCLUDE_BYOK_IN_BUDGETS)
  include_byok_in_budgets: boolean;
}
