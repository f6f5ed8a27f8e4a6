import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf } from '../../database/entity-columns.js';
import { isUuid } from '../../database/identifiers.js';
import { countedTotal, type PageRow, pageStatement, toPage } from '../../database/page-statement.js';
import { Statements } from '../../database/statements.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import type { BudgetInterval } from './budget-interval.js';
import { WorkspaceBudgetEntity } from './entities/workspace-budget.entity.js';
import { WorkspaceMemberEntity } from './entities/workspace-member.entity.js';
import { WorkspaceEntity } from './entities/workspace.entity.js';

/** A workspace of an organization by its id. */
export const WORKSPACE_BY_ID = {
  name: 'workspace_by_id',
  text: `SELECT ${columnsOf(WorkspaceEntity, 'w')} FROM workspaces w WHERE w.organization_id = $1 AND w.id = $2`,
};

/** A workspace of an organization by its slug. */
export const WORKSPACE_BY_SLUG = {
  name: 'workspace_by_slug',
  text: `SELECT ${columnsOf(WorkspaceEntity, 'w')} FROM workspaces w WHERE w.organization_id = $1 AND w.slug = $2`,
};

/** The id of an organization's default workspace. */
export const DEFAULT_WORKSPACE_ID = {
  name: 'workspace_default_id',
  text: 'SELECT id FROM workspaces WHERE organization_id = $1 AND is_default',
};

/** A page of the members of a workspace other than the default one. */
export const WORKSPACE_MEMBERS_PAGE = pageStatement({
  name: 'workspace_members_page',
  entity: WorkspaceMemberEntity,
  where: 'organization_id = $1 AND workspace_id = $2',
  parameters: 2,
  total: countedTotal(WorkspaceMemberEntity, `$1 || '/' || $2::uuid`),
  order: ['createdAt', 'id'],
});

/** Deletes the budget of an interval. */
export const DELETE_WORKSPACE_BUDGET = {
  name: 'workspace_budget_delete',
  text: 'DELETE FROM workspace_budgets WHERE organization_id = $1 AND workspace_id = $2 AND "interval" = $3',
};

/** The rows of workspaces, their members and their budgets. */
@Injectable()
export class WorkspacesRepository {
  constructor(private readonly statements: Statements) {}

  /** @param reference an id or a slug; what has the form of a UUID is never a slug */
  async find(organizationId: string, reference: string): Promise<WorkspaceEntity | undefined> {
    return this.statements.first(isUuid(reference) ? WORKSPACE_BY_ID : WORKSPACE_BY_SLUG, [organizationId, reference]);
  }

  async defaultId(organizationId: string): Promise<string | undefined> {
    return (await this.statements.first<{ id: string }>(DEFAULT_WORKSPACE_ID, [organizationId]))?.id;
  }

  async membersPage(
    organizationId: string,
    workspaceId: string,
    { limit, offset }: PageWindow,
  ): Promise<Page<WorkspaceMemberEntity>> {
    const values = [organizationId, workspaceId, limit, offset];
    return toPage(await this.statements.rows<PageRow<WorkspaceMemberEntity>>(WORKSPACE_MEMBERS_PAGE, values));
  }

  async insert(manager: EntityManager, workspace: WorkspaceEntity): Promise<void> {
    await manager.insert(WorkspaceEntity, workspace);
  }

  async insertMember(manager: EntityManager, member: WorkspaceMemberEntity): Promise<void> {
    await manager.insert(WorkspaceMemberEntity, member);
  }

  /** Makes the budget of an interval, or changes its limit. */
  async upsertBudget(manager: EntityManager, budget: WorkspaceBudgetEntity): Promise<void> {
    await manager
      .createQueryBuilder()
      .insert()
      .into(WorkspaceBudgetEntity)
      .values(budget)
      .orUpdate(['limit_usd', 'updated_at'], ['workspace_id', 'interval'])
      .execute();
  }

  async deleteBudget(organizationId: string, workspaceId: string, interval: BudgetInterval): Promise<void> {
    await this.statements.write(DELETE_WORKSPACE_BUDGET, [organizationId, workspaceId, interval]);
  }
}
