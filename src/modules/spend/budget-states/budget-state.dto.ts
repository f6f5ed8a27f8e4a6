import { PageOf } from '../../../http/openapi/response-envelopes.js';
import { PageQuery } from '../../../http/pagination/pagination.js';
import { BooleanField, EnumField, NumberField, TextField, TimestampField } from '../../../http/validation/fields.js';
import { WorkspaceIdField } from '../../../http/validation/id-fields.js';
import { SPEND_INTERVALS, type SpendInterval } from '../spend-interval.js';

/** A budget of a workspace, and what has become of it in the present window. Amounts are in US dollars. */
export class BudgetState {
  @WorkspaceIdField('The id of the workspace.')
  workspace_id: string;

  @TextField({ description: 'The name of the workspace.', example: 'Production' })
  workspace_name: string;

  @EnumField(SPEND_INTERVALS, { description: 'The interval of the budget.', example: 'monthly' })
  interval: SpendInterval;

  @BooleanField({ description: "Whether spend through the organization's own provider keys counts.", example: false })
  include_byok_in_budgets: boolean;

  @NumberField({ description: 'The limit.', example: 100 })
  limit_usd: number;

  @NumberField({ description: 'What was charged in the window.', example: 61 })
  spent_usd: number;

  @NumberField({ description: 'What requests that are being answered may still cost.', example: 24 })
  reserved_usd: number;

  @NumberField({ description: 'What is left beside both, at least 0.', example: 15 })
  left_usd: number;

  @TimestampField({ description: 'When the window began; null for the lifetime.', nullable: true })
  window_start: string | null;

  @TimestampField({
    description: 'When the window ends and the budget begins anew; null for the lifetime.',
    example: '2026-12-01T00:00:00.000Z',
    nullable: true,
  })
  resets_at: string | null;

  @NumberField({
    description:
      'What will be spent at the end of the window if it goes on as it has since the beginning; null in the first hundredth of the window, and for the lifetime.',
    example: 92,
    nullable: true,
  })
  forecast_usd: number | null;

  @TimestampField({
    description: 'When the limit will be met by the same calculation; null if not in this window.',
    example: null,
    nullable: true,
  })
  forecast_exhausted_at: string | null;
}

/** The answer to listBudgets. */
export class ListBudgetsResponse extends PageOf(BudgetState) {}

/** Which budgets to list. */
export class ListBudgetsQuery extends PageQuery {
  @WorkspaceIdField('Only the budgets of this workspace.', { optional: true })
  workspace_id?: string;
}
