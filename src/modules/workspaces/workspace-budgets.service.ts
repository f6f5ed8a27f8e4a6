import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { newUuid } from '../../database/identifiers.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { created, updated } from '../audit/audited-event.js';
import { budgetOrderFaults } from './budget-order.js';
import type { BudgetPath } from './dto/budget-path.dto.js';
import type { DeleteWorkspaceBudgetResponse } from './dto/delete-workspace-budget-response.dto.js';
import type {
  GetWorkspaceBudgetResponse,
  ListWorkspaceBudgetsResponse,
  UpsertWorkspaceBudgetRequest,
  UpsertWorkspaceBudgetResponse,
} from './dto/workspace-budget.dto.js';
import type { WorkspacePath } from './dto/workspace-path.dto.js';
import type { WorkspaceBudgetEntity } from './entities/workspace-budget.entity.js';
import type { WorkspaceEntity } from './entities/workspace.entity.js';
import { toBudgetResponse, toBudgetTarget } from './workspace-budgets.mapper.js';
import { WorkspaceBudgetsRepository } from './workspace-budgets.repository.js';
import { BudgetNotFound, WorkspaceNotFound } from './workspaces.errors.js';
import { WorkspacesRepository } from './workspaces.repository.js';
import { WorkspacesService } from './workspaces.service.js';

/** What workspaces may spend, by interval. */
@Injectable()
export class WorkspaceBudgetsService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly workspaceRows: WorkspacesRepository,
    private readonly repository: WorkspaceBudgetsRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Every budget of a workspace, oldest first.
   *
   * @throws WorkspaceNotFound
   */
  async list({ organizationId }: ManagementPrincipal, input: WorkspacePath): Promise<ListWorkspaceBudgetsResponse> {
    const workspace = await this.workspaces.get(organizationId, input.id);
    const budgets = await this.repository.ofWorkspace(organizationId, workspace.id);
    return { data: budgets.map(toBudgetResponse), include_byok_in_budgets: workspace.includeByokInBudgets };
  }

  /**
   * The budget of an interval.
   *
   * @throws WorkspaceNotFound, BudgetNotFound
   */
  async read({ organizationId }: ManagementPrincipal, input: BudgetPath): Promise<GetWorkspaceBudgetResponse> {
    const workspace = await this.workspaces.get(organizationId, input.id);
    const budgets = await this.repository.ofWorkspace(organizationId, workspace.id);
    const budget = budgets.find(({ interval }) => interval === input.interval);
    if (budget === undefined) throw new BudgetNotFound();
    return { data: toBudgetResponse(budget), include_byok_in_budgets: workspace.includeByokInBudgets };
  }

  /**
   * Sets what a workspace may spend in an interval, whether or not there was a budget. Limits strictly decrease as the
   * interval narrows; of two requests at the same time the second is judged by what the first has set.
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError for a limit that is not between those of the wider and the narrower intervals
   */
  async upsert(
    caller: ManagementPrincipal,
    input: BudgetPath & UpsertWorkspaceBudgetRequest,
  ): Promise<UpsertWorkspaceBudgetResponse> {
    const { organizationId } = caller;
    return this.statements.transaction(async (on) => {
      const workspace = await this.workspaceRows.lock(on, organizationId, input.id);
      if (workspace === undefined) throw new WorkspaceNotFound();
      const budget = await this.set(on, caller, workspace, input);
      const includeByok = await this.setIncludeByok(on, caller, workspace, input.include_byok_in_budgets);
      return { data: toBudgetResponse(budget), include_byok_in_budgets: includeByok };
    });
  }

  /**
   * Removes the budget of an interval, if there is one (SERVICE.md, section 4.11).
   *
   * @throws WorkspaceNotFound
   */
  async delete(caller: ManagementPrincipal, input: BudgetPath): Promise<DeleteWorkspaceBudgetResponse> {
    const { organizationId } = caller;
    const { id } = await this.workspaces.get(organizationId, input.id);
    const event = { action: 'workspace_budget.delete', target: toBudgetTarget(id, input.interval) };
    await this.repository.delete(organizationId, id, input.interval, caller, event);
    return { deleted: true };
  }

  private async set(
    on: StatementRunner,
    caller: ManagementPrincipal,
    { organizationId, id: workspaceId }: WorkspaceEntity,
    { interval, limit_usd: limitUsd }: BudgetPath & UpsertWorkspaceBudgetRequest,
  ): Promise<WorkspaceBudgetEntity> {
    const budgets = await this.repository.ofWorkspace(organizationId, workspaceId, on);
    const faults = budgetOrderFaults({ interval, limitUsd }, budgets);
    if (faults.length > 0) throw BadRequestError.of(faults);
    const before = budgets.find((budget) => budget.interval === interval);
    if (before?.limitUsd === limitUsd) return before;
    const row = { id: before?.id ?? newUuid(), organizationId, workspaceId, interval, limitUsd };
    const budget = await this.repository.upsert(on, row);
    const target = toBudgetTarget(workspaceId, interval);
    const after = { limit_usd: limitUsd };
    await this.audit.record(
      on,
      organizationId,
      caller,
      before === undefined
        ? { action: 'workspace_budget.create', target, changes: created(after) }
        : { action: 'workspace_budget.update', target, changes: updated({ limit_usd: before.limitUsd }, after) },
    );
    return budget;
  }

  private async setIncludeByok(
    on: StatementRunner,
    caller: ManagementPrincipal,
    workspace: WorkspaceEntity,
    includeByok: boolean | undefined,
  ): Promise<boolean> {
    const before = workspace.includeByokInBudgets;
    if (includeByok === undefined || includeByok === before) return before;
    await this.workspaceRows.update(on, { ...workspace, includeByokInBudgets: includeByok });
    await this.audit.record(on, workspace.organizationId, caller, {
      action: 'workspace.update',
      target: { type: 'workspace', id: workspace.id },
      changes: updated({ include_byok_in_budgets: before }, { include_byok_in_budgets: includeByok }),
    });
    return includeByok;
  }
}
