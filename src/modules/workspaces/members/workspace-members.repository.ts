import { Injectable } from '@nestjs/common';
import type { MemberRole } from '../../../auth/roles.js';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { statement } from '../../../persistence/statement.js';
import type { Transaction } from '../../../persistence/statements.js';
import { WorkspaceMemberEntity, WorkspaceEntity } from '../entities/workspace.entity.js';
import { lockById } from '../../../persistence/row-statements.js';

/** Locks a workspace. Every change of the sources of its memberships begins with this lock (docs/adr/0010). */
export const LOCK_WORKSPACE_FOR_NO_KEY_UPDATE = lockById(
  'workspace_members_hold',
  WorkspaceEntity,
  'FOR NO KEY UPDATE',
);

/** The memberships that some users have in a workspace. */
export const WORKSPACE_MEMBERS_BY_USERS = statement<
  WorkspaceMemberEntity,
  [organizationId: string, workspaceId: string, userIds: readonly string[]]
>(
  'workspace_members_of_users',
  `SELECT ${columnsOf(WorkspaceMemberEntity, 'm')} FROM workspace_members m
    WHERE m.organization_id = $1 AND m.workspace_id = $2 AND m.user_id = ANY ($3::text[])`,
);

/** Adds manual memberships for users without one. */
export const INSERT_WORKSPACE_MEMBERS = statement<
  { user_id: string },
  [
    organizationId: string,
    workspaceId: string,
    ids: readonly string[],
    userIds: readonly string[],
    roles: readonly MemberRole[],
  ]
>(
  'workspace_members_add',
  `INSERT INTO workspace_members AS known
      (id, organization_id, workspace_id, user_id, role, manual_role, created_at)
    SELECT id, $1, $2, user_id, role, role, now() FROM unnest($3::uuid[], $4::text[], $5::text[]) AS given (id, user_id, role)
    ORDER BY user_id
    ON CONFLICT (organization_id, workspace_id, user_id) DO UPDATE
      SET manual_role = excluded.manual_role,
        role = role_of_rank(greatest(role_rank(excluded.manual_role), role_rank(known.scim_role)))
      WHERE known.manual_role IS NULL
    RETURNING user_id`,
);

/** Removes memberships that no mapped SCIM group gives. */
export const DELETE_WORKSPACE_MEMBERS = statement<
  { user_id: string },
  [organizationId: string, workspaceId: string, userIds: readonly string[]]
>(
  'workspace_members_remove',
  `DELETE FROM workspace_members
    WHERE organization_id = $1 AND workspace_id = $2 AND user_id = ANY ($3::text[]) AND scim_role IS NULL
    RETURNING user_id`,
);

/** The rows of workspaces' members. */
@Injectable()
export class WorkspaceMembersRepository {
  /** Keeps other transactions from changing the memberships of a workspace. @returns whether the workspace exists */
  async lockForNoKeyUpdate(tx: Transaction, organizationId: string, workspaceId: string): Promise<boolean> {
    return (await tx.first(LOCK_WORKSPACE_FOR_NO_KEY_UPDATE, [organizationId, workspaceId])) !== undefined;
  }

  async membersAmong(
    tx: Transaction,
    organizationId: string,
    workspaceId: string,
    userIds: readonly string[],
  ): Promise<WorkspaceMemberEntity[]> {
    return tx.rows(WORKSPACE_MEMBERS_BY_USERS, [organizationId, workspaceId, userIds]);
  }

  /** @returns the users whose membership was created or changed */
  async insert(
    tx: Transaction,
    organizationId: string,
    workspaceId: string,
    roles: ReadonlyMap<string, MemberRole>,
  ): Promise<string[]> {
    const ids = Array.from(roles, () => newUuid());
    const given = [ids, [...roles.keys()], [...roles.values()]] as const;
    const rows = await tx.rows(INSERT_WORKSPACE_MEMBERS, [organizationId, workspaceId, ...given]);
    return rows.map((row) => row.user_id);
  }

  /** @returns the users whose membership was removed */
  async delete(
    tx: Transaction,
    organizationId: string,
    workspaceId: string,
    userIds: readonly string[],
  ): Promise<string[]> {
    const rows = await tx.rows(DELETE_WORKSPACE_MEMBERS, [organizationId, workspaceId, userIds]);
    return rows.map((row) => row.user_id);
  }
}
