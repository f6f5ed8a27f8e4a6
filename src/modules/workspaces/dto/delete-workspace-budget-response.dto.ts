import { TrueField } from '../../../http/schema/fields.js';

/** The answer to deleteWorkspaceBudget. */
export class DeleteWorkspaceBudgetResponse {
  @TrueField({ description: 'There is no such budget any more, whether or not there was one.', example: true })
  deleted: true;
}
