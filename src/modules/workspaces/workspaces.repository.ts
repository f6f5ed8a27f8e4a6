import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../persistence/entity-columns.js';
import { isUuid } from '../../persistence/identifiers.js';
import { insertStatement } from '../../persistence/insert-statement.js';
import { type ListedRow, listedColumnsOf } from '../../persistence/listed-columns.js';
import { statement } from '../../persistence/statement.js';
import { type Transaction, Statements } from '../../persistence/statements.js';
import { updateStatement } from '../../persistence/update-statement.js';
import { LargeRows } from '../organization-limits/large-rows.js';
import { VIEW_BY_PERSON } from '../organizations/persons-of-members.js';
import { quotaStatement } from '../../persistence/quota-statement.js';
import {
  countedTotal,
  type Page,
  pageOfOrganization,
  type PageRequest,
  pageStatement,
  VIEW_BY_NAME,
} from '../../persistence/page-statement.js';
import { WorkspaceEntity, WorkspaceMemberEntity } from './entities/workspace.entity.js';
import type { NewWorkspaceRow } from './new-workspace.js';
import { deletionById, locking, rowById, rowsByIds } from '../../persistence/row-statements.js';
import { CREATED_NOW, UPDATED_NOW } from '../../persistence/row-times.js';

/** How many workspaces an organization has, against its quota. */
export const WORKSPACES_QUOTA = quotaStatement('workspaces_quota', 'workspaces', 'workspaces');

/** A workspace of an organization by its id. */
export const WORKSPACE_BY_ID = rowById('workspace_by_id', WorkspaceEntity);

export const WORKSPACE_BY_SLUG = statement<WorkspaceEntity, [organizationId: string, slug: string]>(
  'workspace_by_slug',
  `SELECT ${columnsOf(WorkspaceEntity, 'w')} FROM workspaces w WHERE w.organization_id = $1 AND w.slug = $2`,
);

// Also against rows that are about to refer to the workspace.
export const LOCK_WORKSPACE_BY_ID_FOR_UPDATE = locking('workspace_lock_by_id', WORKSPACE_BY_ID, 'FOR UPDATE');

export const LOCK_WORKSPACE_BY_SLUG_FOR_UPDATE = locking('workspace_lock_by_slug', WORKSPACE_BY_SLUG, 'FOR UPDATE');

/** The id of an organization's default workspace. */
export const DEFAULT_WORKSPACE_ID = statement<{ id: string }, [organizationId: string]>(
  'workspace_default_id',
  'SELECT id FROM workspaces WHERE organization_id = $1 AND is_default',
);

const VIEW = { ...VIEW_BY_NAME, searched: ['item.name', 'item.slug'] };

const LISTED_COLUMNS = listedColumnsOf(WorkspaceEntity, 'item', ['ioLoggingApiKeyIds', 'disabledServerTools']);

/** A page of an organization's workspaces. */
export const WORKSPACES_PAGE = pageOfOrganization<ListedRow<WorkspaceEntity>>({
  name: 'workspaces_page',
  entity: WorkspaceEntity,
  columns: LISTED_COLUMNS,
  view: VIEW,
});

/** Of which workspaces `w` a user ($2) is a member: of the default one every member of the organization is. */
const HAS_MEMBER = `(w.is_default OR EXISTS (
    SELECT FROM workspace_members m WHERE m.organization_id = $1 AND m.workspace_id = w.id AND m.user_id = $2))`;

/** The ids of the workspaces of which a user ($2) is a member: few. */
const OF_MEMBER = `SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.is_default
      UNION
      SELECT m.workspace_id FROM workspace_members m WHERE m.organization_id = $1 AND m.user_id = $2`;

/** A page of the workspaces of which a user is a member, oldest first, which are counted with it. */
export const WORKSPACES_PAGE_OF_MEMBER = pageStatement<
  ListedRow<WorkspaceEntity>,
  [organizationId: string, userId: string]
>({
  name: 'workspaces_page_of_member',
  entity: WorkspaceEntity,
  where: `item.organization_id = $1 AND item.id = ANY (ARRAY(${OF_MEMBER}))`,
  parameters: 2,
  total: `(SELECT count(*) FROM (${OF_MEMBER}) AS found)`,
  order: ['createdAt', 'id'],
  columns: LISTED_COLUMNS,
  view: VIEW,
});

/** Whether a user is a member of a workspace. */
export const WORKSPACE_OF_MEMBER = statement<
  { id: string },
  [organizationId: string, userId: string, workspaceId: string]
>('workspace_of_member', `SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.id = $3 AND ${HAS_MEMBER}`);

export const WORKSPACES_BY_IDS = rowsByIds('workspaces_by_ids', WorkspaceEntity);

// They stay members, and count as nothing. Few are deactivated, and an index has them alone.
const DEACTIVATED_USERS = `SELECT m.user_id FROM organization_members m
      WHERE m.organization_id = $1 AND m.deactivated_at IS NOT NULL`;

/** A page of the active members of a workspace other than the default one. */
export const WORKSPACE_MEMBERS_PAGE = pageStatement<
  WorkspaceMemberEntity,
  [organizationId: string, workspaceId: string]
>({
  name: 'workspace_members_page',
  entity: WorkspaceMemberEntity,
  where: `organization_id = $1 AND workspace_id = $2 AND user_id NOT IN (${DEACTIVATED_USERS})`,
  parameters: 2,
  total: `(${countedTotal(WorkspaceMemberEntity, `$1 || '/' || $2::uuid`)} - (
      SELECT count(*) FROM (${DEACTIVATED_USERS}) AS deactivated JOIN workspace_members known
        ON known.organization_id = $1 AND known.workspace_id = $2 AND known.user_id = deactivated.user_id))`,
  order: ['createdAt', 'id'],
  view: { ...VIEW_BY_PERSON, sorts: { ...VIEW_BY_PERSON.sorts, created_at: 'item.created_at' } },
});

export const INSERT_WORKSPACE = insertStatement('workspace_insert', WorkspaceEntity, CREATED_NOW);

export const UPDATE_WORKSPACE = updateStatement('workspace_update', WorkspaceEntity, UPDATED_NOW);

export const DELETE_WORKSPACE = deletionById('workspace_delete', WorkspaceEntity);

/** The rows of workspaces and their members. */
@Injectable()
export class WorkspacesRepository {
  constructor(
    private readonly statements: Statements,
    private readonly largeRows: LargeRows,
  ) {}

  /** @param reference an id or a slug; what has the form of a UUID is never a slug */
  async find(organizationId: string, reference: string): Promise<WorkspaceEntity | undefined> {
    return this.statements.first(isUuid(reference) ? WORKSPACE_BY_ID : WORKSPACE_BY_SLUG, [organizationId, reference]);
  }

  /** The workspace, locked until the end of the transaction: others cannot change it, delete it or add anything to it. */
  async lockForUpdate(
    tx: Transaction,
    organizationId: string,
    reference: string,
  ): Promise<WorkspaceEntity | undefined> {
    return tx.first(isUuid(reference) ? LOCK_WORKSPACE_BY_ID_FOR_UPDATE : LOCK_WORKSPACE_BY_SLUG_FOR_UPDATE, [
      organizationId,
      reference,
    ]);
  }

  async defaultId(organizationId: string): Promise<string | undefined> {
    return (await this.statements.first(DEFAULT_WORKSPACE_ID, [organizationId]))?.id;
  }

  async page(organizationId: string, request: PageRequest): Promise<Page<WorkspaceEntity>> {
    const page = await this.statements.page(WORKSPACES_PAGE, [organizationId], request);
    return this.largeRows.complete(organizationId, page, WORKSPACES_BY_IDS);
  }

  /** A page of the workspaces of which a user is a member. */
  async pageOfMember(organizationId: string, userId: string, request: PageRequest): Promise<Page<WorkspaceEntity>> {
    const page = await this.statements.page(WORKSPACES_PAGE_OF_MEMBER, [organizationId, userId], request);
    return this.largeRows.complete(organizationId, page, WORKSPACES_BY_IDS);
  }

  /** @param workspaceId a UUID; any other text is the id of no workspace */
  async isMember(organizationId: string, workspaceId: string, userId: string): Promise<boolean> {
    if (!isUuid(workspaceId)) return false;
    return (await this.statements.first(WORKSPACE_OF_MEMBER, [organizationId, userId, workspaceId])) !== undefined;
  }

  async membersPage(
    organizationId: string,
    workspaceId: string,
    request: PageRequest,
  ): Promise<Page<WorkspaceMemberEntity>> {
    return this.statements.page(WORKSPACE_MEMBERS_PAGE, [organizationId, workspaceId], request);
  }

  /** @returns the workspace as it is stored */
  async insert(tx: Transaction, workspace: NewWorkspaceRow): Promise<WorkspaceEntity> {
    const values = INSERT_WORKSPACE.values(workspace);
    return { ...workspace, ...(await tx.first(INSERT_WORKSPACE, values))! };
  }

  /** Writes a workspace, and when it was changed. @param tx holds the workspace @returns it as it is stored */
  async update(tx: Transaction, workspace: WorkspaceEntity): Promise<WorkspaceEntity> {
    const values = UPDATE_WORKSPACE.values(workspace);
    return { ...workspace, ...(await tx.first(UPDATE_WORKSPACE, values))! };
  }

  /** Deletes a workspace, and with it all that belongs to it. */
  async delete(tx: Transaction, organizationId: string, id: string): Promise<void> {
    await tx.write(DELETE_WORKSPACE, [organizationId, id]);
  }
}
