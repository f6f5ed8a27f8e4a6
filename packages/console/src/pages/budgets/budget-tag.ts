import { api, tagOfShown } from '../../api/client';
import type { Schema } from '../../api/types';

/** The tag of a budget that the table has shown. @throws ApiError if it has been changed meanwhile */
export function tagOfBudget({
  workspace_id: id,
  interval,
  limit_usd: limit,
}: Schema<'BudgetState'>): Promise<string | null> {
  const read = api.GET('/api/v1/workspaces/{id}/budgets/{interval}', { params: { path: { id, interval } } });
  return tagOfShown(read, (now) => now.limit_usd === limit);
}
