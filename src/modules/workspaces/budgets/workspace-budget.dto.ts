import { BooleanField, EnumField, NumberField, TimestampField, UuidField } from '../../../http/validation/fields.js';
import { WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { BUDGET_INTERVALS, BUDGET_RESETS, type BudgetInterval, type BudgetReset } from './budget-interval.js';
import { INCLUDE_BYOK_IN_BUDGETS, WorkspacePath } from '../dto/workspace.dto.js';
import { DataOf, Deleted, ListOf } from '../../../http/openapi/response-envelopes.js';

/** Which budget of which workspace. */
export class BudgetPath extends WorkspacePath {
  @EnumField(BUDGET_INTERVALS, {
    description: 'The interval of the budget; lifetime never resets.',
    example: 'monthly',
  })
  interval: BudgetInterval;
}

const LIMIT_USD = {
  description:
    'The limit for the interval in US dollars: less than the limit of every wider interval, and more than that of every narrower one.',
  example: 100,
  exclusiveMinimum: 0,
} as const;

/** The budget of a workspace for an interval. */
export class WorkspaceBudget {
  @UuidField({ description: 'The id of the budget.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60' })
  id: string;

  @WorkspaceIdField('The id of the workspace.')
  workspace_id: string;

  @NumberField(LIMIT_USD)
  limit_usd: number;

  @EnumField<NonNullable<BudgetReset>>(BUDGET_RESETS, {
    description: 'How often the budget resets; null for a lifetime budget, which never does.',
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
    description: `${INCLUDE_BYOK_IN_BUDGETS.description} If absent, the setting is unchanged.`,
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

/** The answer to deleteWorkspaceBudget. */
export class DeleteWorkspaceBudgetResponse extends Deleted('Always true, also if there was no budget.') {}
