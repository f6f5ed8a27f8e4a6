import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { type Transaction, Statements } from '../../../persistence/statements.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { created, updated } from '../../audit/audited-event.js';
import { budgetOrderIssues } from './budget-interval.js';
import type {
  BudgetPath,
  DeleteWorkspaceBudgetResponse,
  GetWorkspaceBudgetResponse,
  ListWorkspaceBudgetsResponse,
  UpsertWorkspaceBudgetRequest,
  UpsertWorkspaceBudgetResponse,
} from './workspace-budget.dto.js';
import type { WorkspacePath } from '../dto/workspace.dto.js';
import type { WorkspaceBudgetEntity, WorkspaceEntity } from '../entities/workspace.entity.js';
import { budgetTargetId, tagOfBudget, toBudgetResponse } from '../workspaces.mapper.js';
import { WorkspaceBudgetsRepository } from './workspace-budgets.repository.js';
import { BudgetNotFound, WorkspaceNotFound } from '../workspaces.errors.js';
import { WorkspacesRepository } from '../workspaces.repository.js';
import { WorkspaceLookupService } from '../workspace-lookup.service.js';
import { withEntityTag } from '../../../http/entity-tags.js';
import { Precondition } from '../../../http/precondition.js';
import { requireNoIssues } from '../../../http/errors/require-all.js';

/** Budgets of workspaces. */
@Injectable()
export class WorkspaceBudgetsService {
  constructor(
    private readonly workspaces: WorkspaceLookupService,
    private readonly workspaceRows: WorkspacesRepository,
    private readonly repository: WorkspaceBudgetsRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Lists the budgets of a workspace, oldest first.
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
    return shown(budget, workspace.includeByokInBudgets);
  }

  /**
   * Creates or replaces a budget. Limits strictly decrease as the interval narrows; the lock makes concurrent requests
   * see each other.
   *
   * @throws WorkspaceNotFound
   * @throws BadRequestError for a limit that is not between those of the wider and the narrower intervals
   */
  async upsert(
    caller: ManagementPrincipal,
    input: BudgetPath & UpsertWorkspaceBudgetRequest,
    precondition = Precondition.NONE,
  ): Promise<UpsertWorkspaceBudgetResponse> {
    const { organizationId } = caller;
    return this.statements.transaction(async (tx) => {
      const workspace = await this.locked(tx, organizationId, input, precondition);
      const budget = await this.set(tx, caller, workspace, input);
      const includeByok = await this.setIncludeByok(tx, caller, workspace, input.include_byok_in_budgets);
      return shown(budget, includeByok);
    });
  }

  /**
   * Removes the budget of an interval, if there is one (docs/interface/workspaces-and-budgets.md#budgets).
   *
   * @throws WorkspaceNotFound
   */
  async delete(
    caller: ManagementPrincipal,
    input: BudgetPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteWorkspaceBudgetResponse> {
    const { organizationId } = caller;
    const remove = async ({ id }: WorkspaceEntity, tx?: Transaction): Promise<DeleteWorkspaceBudgetResponse> => {
      const event = { action: 'workspace_budget.delete', targetId: budgetTargetId(id, input.interval) };
      await this.repository.delete(organizationId, id, input.interval, caller, event, tx);
      return { deleted: true };
    };
    if (!precondition.isGiven) return remove(await this.workspaces.get(organizationId, input.id));
    return this.statements.transaction(async (tx) =>
      remove(await this.locked(tx, organizationId, input, precondition), tx),
    );
  }

  /**
   * Says whether spend with own provider keys counts toward the budgets of a workspace, also those that come later.
   *
   * @throws WorkspaceNotFound
   */
  async includeByok(caller: ManagementPrincipal, { id }: WorkspacePath, includesByok: boolean): Promise<void> {
    await this.statements.transaction(async (tx) => {
      const workspace = await this.workspaceRows.lockForUpdate(tx, caller.organizationId, id);
      if (workspace === undefined) throw new WorkspaceNotFound();
      await this.setIncludeByok(tx, caller, workspace, includesByok);
    });
  }

  /** Locks a workspace. @throws WorkspaceNotFound @throws PreconditionFailed if its budget is not as the caller knows it */
  private async locked(
    tx: Transaction,
    organizationId: string,
    { id, interval }: BudgetPath,
    precondition: Precondition,
  ): Promise<WorkspaceEntity> {
    const workspace = await this.workspaceRows.lockForUpdate(tx, organizationId, id);
    if (workspace === undefined) throw new WorkspaceNotFound();
    if (!precondition.isGiven) return workspace;
    const budgets = await this.repository.ofWorkspace(organizationId, workspace.id, tx);
    const budget = budgets.find((one) => one.interval === interval);
    precondition.require(tagOfBudget(budget, workspace.includeByokInBudgets));
    return workspace;
  }

  private async set(
    tx: Transaction,
    caller: ManagementPrincipal,
    { organizationId, id: workspaceId }: WorkspaceEntity,
    { interval, limit_usd: limitUsd }: BudgetPath & UpsertWorkspaceBudgetRequest,
  ): Promise<WorkspaceBudgetEntity> {
    const budgets = await this.repository.ofWorkspace(organizationId, workspaceId, tx);
    requireNoIssues(budgetOrderIssues({ interval, limitUsd }, budgets));
    const before = budgets.find((budget) => budget.interval === interval);
    if (before?.limitUsd === limitUsd) return before;
    const row = { id: before?.id ?? newUuid(), organizationId, workspaceId, interval, limitUsd };
    const budget = await this.repository.upsert(tx, row);
    const targetId = budgetTargetId(workspaceId, interval);
    const after = { limit_usd: limitUsd };
    const event =
      before === undefined
        ? { action: 'workspace_budget.create', targetId, changes: created(after) }
        : { action: 'workspace_budget.update', targetId, changes: updated({ limit_usd: before.limitUsd }, after) };
    await this.audit.record(tx, organizationId, caller, event);
    return budget;
  }

  private async setIncludeByok(
    tx: Transaction,
    caller: ManagementPrincipal,
    workspace: WorkspaceEntity,
    includeByok: boolean | undefined,
  ): Promise<boolean> {
    const before = workspace.includeByokInBudgets;
    if (includeByok === undefined || includeByok === before) return before;
    await this.workspaceRows.update(tx, { ...workspace, includeByokInBudgets: includeByok });
    const changes = updated({ include_byok_in_budgets: before }, { include_byok_in_budgets: includeByok });
    const event = { action: 'workspace.update', targetId: workspace.id, changes };
    await this.audit.record(tx, workspace.organizationId, caller, event);
    return includeByok;
  }
}

function shown(budget: WorkspaceBudgetEntity, includesByok: boolean): GetWorkspaceBudgetResponse {
  const answer = { data: toBudgetResponse(budget), include_byok_in_budgets: includesByok };
  return withEntityTag(answer, tagOfBudget(budget, includesByok)!);
}
