import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../database/entity-columns.js';
import { newUuid } from '../../database/identifiers.js';
import type { StatementRunner } from '../../database/statements.js';
import type { MemberRole } from '../organizations/member-role.js';
import { WorkspaceMemberEntity } from './entities/workspace-member.entity.js';

/** Holds a workspace, as whoever changes what its memberships come from does first (docs/adr/0010). */
export const HOLD_WORKSPACE = {
  name: 'workspace_members_hold',
  text: 'SELECT id FROM workspaces WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE',
};

/** The memberships that some users have in a workspace. */
export const MEMBERS_OF_USERS = {
  name: 'workspace_members_of_users',
  text: `SELECT ${columnsOf(WorkspaceMemberEntity, 'm')} FROM workspace_members m
    WHERE m.organization_id = $1 AND m.workspace_id = $2 AND m.user_id = ANY ($3::text[])`,
};

/** Gives memberships by hand, to those who have none by hand. */
export const ADD_MEMBERS = {
  name: 'workspace_members_add',
  text: `INSERT INTO workspace_members AS known
      (id, organization_id, workspace_id, user_id, role, manual_role, created_at)
    SELECT id, $1, $2, user_id, role, role, now() FROM unnest($3::uuid[], $4::text[], $5::text[]) AS given (id, user_id, role)
    ORDER BY user_id
    ON CONFLICT (workspace_id, user_id) DO UPDATE
      SET manual_role = excluded.manual_role,
        role = role_of_rank(greatest(role_rank(excluded.manual_role), role_rank(known.scim_role)))
      WHERE known.manual_role IS NULL
    RETURNING user_id`,
};

/** Removes memberships that no mapped group gives. */
export const REMOVE_MEMBERS = {
  name: 'workspace_members_remove',
  text: `DELETE FROM workspace_members
    WHERE organization_id = $1 AND workspace_id = $2 AND user_id = ANY ($3::text[]) AND scim_role IS NULL
    RETURNING user_id`,
};

/** The rows of workspaces' members. */
@Injectable()
export class WorkspaceMembersRepository {
  /** Sees to it that nobody else changes the memberships of a workspace. @returns whether there is such a workspace */
  async hold(on: StatementRunner, organizationId: string, workspaceId: string): Promise<boolean> {
    return (await on.first(HOLD_WORKSPACE, [organizationId, workspaceId])) !== undefined;
  }

  async membersAmong(
    on: StatementRunner,
    organizationId: string,
    workspaceId: string,
    userIds: readonly string[],
  ): Promise<WorkspaceMemberEntity[]> {
    return on.rows(MEMBERS_OF_USERS, [organizationId, workspaceId, userIds]);
  }

  /** @returns the users whose membership was made or changed */
  async add(
    on: StatementRunner,
    organizationId: string,
    workspaceId: string,
    roles: ReadonlyMap<string, MemberRole>,
  ): Promise<string[]> {
    const ids = Array.from(roles, () => newUuid());
    const values = [organizationId, workspaceId, ids, [...roles.keys()], [...roles.values()]];
    return (await on.rows<{ user_id: string }>(ADD_MEMBERS, values)).map((row) => row.user_id);
  }

  /** @returns the users whose membership was removed */
  async remove(
    on: StatementRunner,
    organizationId: string,
    workspaceId: string,
    userIds: readonly string[],
  ): Promise<string[]> {
    const rows = await on.rows<{ user_id: string }>(REMOVE_MEMBERS, [organizationId, workspaceId, userIds]);
    return rows.map((row) => row.user_id);
  }
}
