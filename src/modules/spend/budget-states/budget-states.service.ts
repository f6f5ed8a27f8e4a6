import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import type { BudgetState, ListBudgetsQuery, ListBudgetsResponse } from './budget-state.dto.js';
import { BudgetStatesRepository, type BudgetStateRow } from './budget-states.repository.js';

/** What has become of the budgets of workspaces. */
@Injectable()
export class BudgetStatesService {
  constructor(private readonly repository: BudgetStatesRepository) {}

  /** The budgets of the organization, the most spent ones first (docs/interface/workspaces-and-budgets.md#state). */
  async list({ organizationId }: ManagementPrincipal, query: ListBudgetsQuery): Promise<ListBudgetsResponse> {
    const page = await this.repository.page(organizationId, query.workspace_id ?? null, toPageRequest(query));
    return toPageResponse(page, toBudgetState);
  }
}

function toBudgetState(row: BudgetStateRow): BudgetState {
  return {
    workspace_id: row.workspaceId,
    workspace_name: row.workspaceName,
    interval: row.interval,
    include_byok_in_budgets: row.includesByok,
    limit_usd: Number(row.limitUsd),
    spent_usd: Number(row.spentUsd),
    reserved_usd: Number(row.reservedUsd),
    left_usd: Number(row.leftUsd),
    window_start: row.windowStart?.toISOString() ?? null,
    resets_at: row.resetsAt?.toISOString() ?? null,
    forecast_usd: row.forecastUsd === null ? null : Number(row.forecastUsd),
    forecast_exhausted_at: row.exhaustedAt?.toISOString() ?? null,
  };
}
