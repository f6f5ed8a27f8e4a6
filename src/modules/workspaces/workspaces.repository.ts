import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { columnsOf } from '../../database/entity-columns.js';
import { isUuid } from '../../database/identifiers.js';
import { insertStatement } from '../../database/insert-statement.js';
import { LargeRows, type ListedRow, listedColumnsOf, rowsByIds } from '../../database/large-rows.js';
import { PageReader } from '../../database/page-reader.js';
import { resumablePage } from '../../database/resumable-page.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { updateStatement } from '../../database/update-statement.js';
import { quotaStatement } from '../../limits/quotas.js';
import type { Page, PageWindow } from '../../http/pagination/page.js';
import { WorkspaceMemberEntity } from './entities/workspace-member.entity.js';
import { WorkspaceEntity } from './entities/workspace.entity.js';
import type { NewWorkspaceRow } from './new-workspace.js';

/** How many workspaces an organization has, against its quota. */
export const WORKSPACES_QUOTA = quotaStatement('workspaces_quota', { kind: 'workspaces', table: 'workspaces' });

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

// Also against rows that are about to refer to the workspace.
export const LOCK_WORKSPACE_BY_ID = { name: 'workspace_lock_by_id', text: `${WORKSPACE_BY_ID.text} FOR UPDATE` };

export const LOCK_WORKSPACE_BY_SLUG = { name: 'workspace_lock_by_slug', text: `${WORKSPACE_BY_SLUG.text} FOR UPDATE` };

/** The id of an organization's default workspace. */
export const DEFAULT_WORKSPACE_ID = {
  name: 'workspace_default_id',
  text: 'SELECT id FROM workspaces WHERE organization_id = $1 AND is_default',
};

/** A page of an organization's workspaces. */
export const WORKSPACES_PAGE = resumablePage({
  name: 'workspaces_page',
  entity: WorkspaceEntity,
  where: 'organization_id = $1',
  parameters: 1,
  scope: '$1',
  order: ['createdAt', 'id'],
  columns: listedColumnsOf(WorkspaceEntity, 'item', ['ioLoggingApiKeyIds']),
});

/** Workspaces by their ids. */
export const WORKSPACES_BY_IDS = {
  name: 'workspaces_by_ids',
  text: rowsByIds(WorkspaceEntity, 'organization_id'),
};

/** A page of the members of a workspace other than the default one. */
export const WORKSPACE_MEMBERS_PAGE = resumablePage({
  name: 'workspace_members_page',
  entity: WorkspaceMemberEntity,
  where: 'organization_id = $1 AND workspace_id = $2',
  parameters: 2,
  scope: `$1 || '/' || $2::uuid`,
  order: ['createdAt', 'id'],
});

// The database says when: the clocks of replicas may differ, and the list is in this order.
export const INSERT_WORKSPACE = insertStatement('workspace_insert', WorkspaceEntity, { createdAt: 'now()' });

// Not now(): the transaction may have begun before the one whose change it waited for.
export const UPDATE_WORKSPACE = updateStatement('workspace_update', WorkspaceEntity, ['organizationId', 'id'], {
  updatedAt: 'clock_timestamp()',
});

export const DELETE_WORKSPACE = {
  name: 'workspace_delete',
  text: 'DELETE FROM workspaces WHERE organization_id = $1 AND id = $2',
};

/** The rows of workspaces and their members. */
@Injectable()
export class WorkspacesRepository {
  constructor(
    private readonly statements: Statements,
    private readonly pages: PageReader,
    private readonly largeRows: LargeRows,
  ) {}

  /** @param reference an id or a slug; what has the form of a UUID is never a slug */
  async find(organizationId: string, reference: string): Promise<WorkspaceEntity | undefined> {
    return this.statements.first(isUuid(reference) ? WORKSPACE_BY_ID : WORKSPACE_BY_SLUG, [organizationId, reference]);
  }

  /** The workspace, which until the transaction ends nobody else changes, deletes or puts anything into. */
  async lock(on: StatementRunner, organizationId: string, reference: string): Promise<WorkspaceEntity | undefined> {
    return on.first(isUuid(reference) ? LOCK_WORKSPACE_BY_ID : LOCK_WORKSPACE_BY_SLUG, [organizationId, reference]);
  }

  async defaultId(organizationId: string): Promise<string | undefined> {
    return (await this.statements.first<{ id: string }>(DEFAULT_WORKSPACE_ID, [organizationId]))?.id;
  }

  async page(organizationId: string, window: PageWindow): Promise<Page<WorkspaceEntity>> {
    const page = await this.pages.read<ListedRow<WorkspaceEntity>>(WORKSPACES_PAGE, [organizationId], window);
    return this.largeRows.complete(organizationId, page, (ids) =>
      this.statements.rows<WorkspaceEntity>(WORKSPACES_BY_IDS, [organizationId, ids]),
    );
  }

  async membersPage(
    organizationId: string,
    workspaceId: string,
    window: PageWindow,
  ): Promise<Page<WorkspaceMemberEntity>> {
    return this.pages.read(WORKSPACE_MEMBERS_PAGE, [organizationId, workspaceId], window);
  }

  async insert(manager: EntityManager, workspace: NewWorkspaceRow): Promise<void> {
    await manager.query(INSERT_WORKSPACE.text, INSERT_WORKSPACE.values(workspace));
  }

  /** @returns the workspace as it is stored */
  async add(on: StatementRunner, workspace: NewWorkspaceRow): Promise<WorkspaceEntity> {
    const values = INSERT_WORKSPACE.values(workspace);
    return { ...workspace, ...(await on.first<Pick<WorkspaceEntity, 'createdAt'>>(INSERT_WORKSPACE, values))! };
  }

  /** Writes a workspace, and when it was changed. @param on holds the workspace @returns it as it is stored */
  async update(on: StatementRunner, workspace: WorkspaceEntity): Promise<WorkspaceEntity> {
    const values = UPDATE_WORKSPACE.values(workspace);
    return { ...workspace, ...(await on.first<Pick<WorkspaceEntity, 'updatedAt'>>(UPDATE_WORKSPACE, values))! };
  }

  /** Deletes a workspace, and with it all that belongs to it. */
  async delete(on: StatementRunner, organizationId: string, id: string): Promise<void> {
    await on.write(DELETE_WORKSPACE, [organizationId, id]);
  }

  async insertMember(manager: EntityManager, member: Omit<WorkspaceMemberEntity, 'createdAt'>): Promise<void> {
    await manager.insert(WorkspaceMemberEntity, { ...member, createdAt: () => 'now()' });
  }
}
