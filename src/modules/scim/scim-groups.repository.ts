import { Injectable } from '@nestjs/common';
import { insertStatement } from '../../persistence/insert-statement.js';
import { statement } from '../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../persistence/statements.js';
import { type Page, pageOfOrganization, type PageRequest, pageStatement } from '../../persistence/page-statement.js';
import type { MemberStatus } from '../organizations/member-role.js';
import { VIEW_BY_PERSON } from '../organizations/persons-of-members.js';
import { ScimGroupEntity, ScimGroupMemberEntity } from './entities/scim-group.entity.js';
import { deletionById, lockById, rowById } from '../../persistence/row-statements.js';
import { CREATED_AND_UPDATED_NOW } from '../../persistence/row-times.js';

/** A page of an organization's groups. */
export const SCIM_GROUPS_PAGE = pageOfOrganization<ScimGroupEntity>({
  name: 'scim_groups_page',
  entity: ScimGroupEntity,
});

/** Every group of an organization, oldest first, with how many members it has. */
export const SCIM_GROUPS_OVERVIEW = statement<ScimGroupOverview, [organizationId: string]>(
  'scim_groups_overview',
  `SELECT g.id, g.display_name AS "displayName", g.external_id AS "externalId", (
      SELECT count(*)::integer FROM scim_group_members m
        WHERE m.organization_id = g.organization_id AND m.scim_group_id = g.id
    ) AS members
    FROM scim_groups g WHERE g.organization_id = $1 ORDER BY g.created_at, g.id`,
);

export const INSERT_SCIM_GROUP = insertStatement('scim_group_insert', ScimGroupEntity, CREATED_AND_UPDATED_NOW);

/** Holds a group, as triggers do when its members change (docs/adr/0010). */
export const LOCK_SCIM_GROUP_FOR_NO_KEY_UPDATE = lockById('scim_group_lock', ScimGroupEntity, 'FOR NO KEY UPDATE');

/** Deletes a group with its members and mappings. Triggers converge the memberships. */
export const DELETE_SCIM_GROUP = deletionById('scim_group_delete', ScimGroupEntity);

/** Adds members to a group, those that are in it already excepted. Triggers converge the memberships. */
export const INSERT_SCIM_GROUP_MEMBERS = statement<
  MemberRow,
  [organizationId: string, id: string, userIds: readonly string[]]
>(
  'scim_group_members_insert',
  `INSERT INTO scim_group_members (organization_id, scim_group_id, user_id, created_at)
    SELECT $1, $2, user_id, now() FROM unnest($3::text[]) AS given (user_id) ORDER BY user_id
    ON CONFLICT DO NOTHING RETURNING user_id`,
);

/** Takes members out of a group. Triggers converge the memberships. */
export const DELETE_SCIM_GROUP_MEMBERS = statement<
  MemberRow,
  [organizationId: string, id: string, userIds: readonly string[]]
>(
  'scim_group_members_delete',
  `DELETE FROM scim_group_members
    WHERE organization_id = $1 AND scim_group_id = $2 AND user_id = ANY ($3::text[]) RETURNING user_id`,
);

/** Holds a group so that no mapping of it is created any more. */
export const LOCK_SCIM_GROUP_FOR_UPDATE = lockById('scim_group_lock_for_deletion', ScimGroupEntity, 'FOR UPDATE');

/** The members of a group. */
export const SCIM_GROUP_USERS = statement<MemberRow, [organizationId: string, id: string]>(
  'scim_group_users',
  'SELECT user_id FROM scim_group_members WHERE organization_id = $1 AND scim_group_id = $2',
);

/**
 * Whether a directory decides which groups a member is in: SCIM is enabled, and the directory has written the member, or has a token with
 * which it may.
 */
export const IS_PROVISIONED = statement<{ isProvisioned: boolean }, [organizationId: string, userId: string]>(
  'scim_member_is_provisioned',
  `SELECT o.scim_enabled AND (
      EXISTS (SELECT FROM scim_users s WHERE s.organization_id = $1 AND s.user_id = $2)
      OR EXISTS (SELECT FROM provisioning_tokens t
        WHERE t.organization_id = $1 AND coalesce(t.expires_at > now(), true))) AS "isProvisioned"
    FROM organizations o WHERE o.id = $1`,
);

/** A group that a member is in and should not be, or the other way round. */
interface MisplacedGroup {
  readonly id: string;
  readonly isNamed: boolean;
}

/** The groups that a member is in without being named, or is named and not in, in the order in which they are locked. */
export const MISPLACED_GROUPS = statement<
  MisplacedGroup,
  [organizationId: string, userId: string, names: readonly string[]]
>(
  'scim_groups_misplaced',
  `SELECT g.id, named.is_named AS "isNamed" FROM scim_groups g
    CROSS JOIN LATERAL (SELECT coalesce(g.external_id = ANY ($3::text[]), false) OR g.display_name = ANY ($3::text[]) AS is_named) AS named
    LEFT JOIN scim_group_members m ON m.organization_id = $1 AND m.scim_group_id = g.id AND m.user_id = $2
    WHERE g.organization_id = $1 AND named.is_named <> (m.user_id IS NOT NULL) ORDER BY g.id`,
);

/** A group of an organization. */
export const SCIM_GROUP_BY_ID = rowById('scim_group_by_id', ScimGroupEntity);

const OF_GROUP = 'organization_id = $1 AND scim_group_id = $2';

/** A page of the members of a group, with what is known of the persons. Their ids are in the order in which they became members. */
export const SCIM_GROUP_MEMBERS_PAGE = pageStatement<ListedGroupMember, [organizationId: string, id: string]>({
  name: 'scim_group_members_page',
  entity: ScimGroupMemberEntity,
  where: OF_GROUP,
  parameters: 2,
  // The primary key has them beside each other.
  total: `(SELECT count(*) FROM scim_group_members WHERE ${OF_GROUP})`,
  order: ['userId'],
  view: { ...VIEW_BY_PERSON, last: 'item.user_id' },
  beside: `SELECT coalesce(m.name, u.name) AS name, coalesce(m.email, u.email) AS email,
      CASE WHEN m.ended_at IS NOT NULL THEN 'ended' WHEN m.deactivated_at IS NOT NULL THEN 'deactivated' ELSE 'active' END AS status
    FROM organization_members m LEFT JOIN users u ON u.id = m.user_id
    WHERE m.organization_id = $1 AND m.user_id = page."userId"`,
});

/** The workspaces that a group is mapped to. */
export const WORKSPACES_OF_SCIM_GROUP = statement<{ workspace_id: string }, [organizationId: string, id: string]>(
  'scim_group_workspaces',
  'SELECT DISTINCT workspace_id FROM scim_group_mappings WHERE organization_id = $1 AND scim_group_id = $2',
);

/** A group, with how many members it has. */
export type ScimGroupOverview = Pick<ScimGroupEntity, 'id' | 'displayName' | 'externalId'> & {
  readonly members: number;
};

/** A member of a group, with what is known of the person. */
export type ListedGroupMember = ScimGroupMemberEntity & {
  readonly name: string;
  readonly email: string;
  readonly status: MemberStatus;
};

/** The rows of groups and of who is in them. */
@Injectable()
export class ScimGroupsRepository {
  constructor(private readonly statements: Statements) {}

  async page(organizationId: string, request: PageRequest): Promise<Page<ScimGroupEntity>> {
    return this.statements.page(SCIM_GROUPS_PAGE, [organizationId], request);
  }

  async find(organizationId: string, id: string): Promise<ScimGroupEntity | undefined> {
    return this.statements.first(SCIM_GROUP_BY_ID, [organizationId, id]);
  }

  async isProvisioned(tx: Transaction, organizationId: string, userId: string): Promise<boolean> {
    return (await tx.first(IS_PROVISIONED, [organizationId, userId]))?.isProvisioned === true;
  }

  async misplaced(
    tx: Transaction,
    organizationId: string,
    userId: string,
    names: readonly string[],
  ): Promise<MisplacedGroup[]> {
    return tx.rows(MISPLACED_GROUPS, [organizationId, userId, names]);
  }

  async membersPage(organizationId: string, id: string, request: PageRequest): Promise<Page<ListedGroupMember>> {
    return this.statements.page(SCIM_GROUP_MEMBERS_PAGE, [organizationId, id], request);
  }

  async overview(runner: StatementRunner, organizationId: string): Promise<ScimGroupOverview[]> {
    return runner.rows(SCIM_GROUPS_OVERVIEW, [organizationId]);
  }

  async insert(tx: Transaction, group: Omit<ScimGroupEntity, 'createdAt' | 'updatedAt'>): Promise<void> {
    await tx.write(INSERT_SCIM_GROUP, INSERT_SCIM_GROUP.values(group));
  }

  /** Locks the row of the group, so that changes of its members follow one another. @returns whether there is such a group */
  async lockForNoKeyUpdate(tx: Transaction, organizationId: string, id: string): Promise<boolean> {
    return (await tx.first(LOCK_SCIM_GROUP_FOR_NO_KEY_UPDATE, [organizationId, id])) !== undefined;
  }

  /** Locks the row of the group against new mappings as well. @returns whether there is such a group */
  async lockForUpdate(tx: Transaction, organizationId: string, id: string): Promise<boolean> {
    return (await tx.first(LOCK_SCIM_GROUP_FOR_UPDATE, [organizationId, id])) !== undefined;
  }

  async usersOf(tx: Transaction, organizationId: string, id: string): Promise<string[]> {
    return userIdsOf(await tx.rows(SCIM_GROUP_USERS, [organizationId, id]));
  }

  async workspacesOf(tx: Transaction, organizationId: string, id: string): Promise<string[]> {
    return (await tx.rows(WORKSPACES_OF_SCIM_GROUP, [organizationId, id])).map((row) => row.workspace_id);
  }

  /** @returns whether there was such a group */
  async delete(tx: Transaction, organizationId: string, id: string): Promise<boolean> {
    return (await tx.write(DELETE_SCIM_GROUP, [organizationId, id])) === 1;
  }

  /** @returns the users that were not in the group before */
  async insertMembers(
    tx: Transaction,
    organizationId: string,
    id: string,
    userIds: readonly string[],
  ): Promise<string[]> {
    return userIdsOf(await tx.rows(INSERT_SCIM_GROUP_MEMBERS, [organizationId, id, userIds]));
  }

  /** @returns the users that were in the group before */
  async deleteMembers(
    tx: Transaction,
    organizationId: string,
    id: string,
    userIds: readonly string[],
  ): Promise<string[]> {
    return userIdsOf(await tx.rows(DELETE_SCIM_GROUP_MEMBERS, [organizationId, id, userIds]));
  }
}

interface MemberRow {
  readonly user_id: string;
}

function userIdsOf(rows: readonly MemberRow[]): string[] {
  return rows.map((row) => row.user_id);
}
