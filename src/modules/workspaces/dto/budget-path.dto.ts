import { EnumField } from '../../../http/schema/fields.js';
import { BUDGET_INTERVALS, type BudgetInterval } from '../budget-interval.js';
import { WorkspacePath } from './workspace-path.dto.js';

/** Which budget of which workspace. */
export class BudgetPath extends WorkspacePath {
  @EnumField(BUDGET_INTERVALS, {
    description: 'The interval of the budget; lifetime is a budget that never resets.',
    example: 'monthly',
  })
  interval: BudgetInterval;
}
