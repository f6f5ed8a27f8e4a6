import { Injectable } from '@nestjs/common';
import type { MemberRole } from '../../auth/roles.js';
import { columnsOf } from '../../persistence/entity-columns.js';
import { insertStatement } from '../../persistence/insert-statement.js';
import { statement } from '../../persistence/statement.js';
import { type StatementRunner, type Transaction, Statements } from '../../persistence/statements.js';
import {
  countedTotal,
  type Page,
  pageOfOrganization,
  type PageRequest,
  pageStatement,
} from '../../persistence/page-statement.js';
import { OrganizationMemberEntity, OrganizationEntity } from './entities/organization.entity.js';
import type { MemberWithUser } from './organizations.mapper.js';
import { CREATED_NOW } from '../../persistence/row-times.js';

/**
 * The parts of a page of an organization's active members. Those who are deactivated are counted one by one, because no trigger follows who
 * is: few are, and an index has them alone.
 */
const ACTIVE_MEMBERS = {
  entity: OrganizationMemberEntity,
  where: 'organization_id = $1 AND deactivated_at IS NULL',
  parameters: 1,
  total: `(${countedTotal(OrganizationMemberEntity, '$1')} - (
      SELECT count(*) FROM organization_members WHERE organization_id = $1 AND deactivated_at IS NOT NULL))`,
  order: ['createdAt', 'id'],
} as const;

/** What is known of the person of a member: by the organization, or else by the deployment. */
const OF_USER = {
  name: 'coalesce(item.name, (SELECT u.name FROM users u WHERE u.id = item.user_id))',
  email: 'coalesce(item.email, (SELECT u.email FROM users u WHERE u.id = item.user_id))',
} as const;

/** What lists of members show beside a row, and how they are searched and sorted. */
const WITH_USERS = {
  beside: `SELECT coalesce(page.name, u.name) AS "userName", coalesce(page.email, u.email) AS "userEmail",
      EXISTS (SELECT FROM scim_users s WHERE s.organization_id = $1 AND s.user_id = page."userId") AS "isScimManaged"
    FROM (SELECT page."userId" AS id) AS member LEFT JOIN users u ON u.id = member.id`,
  view: {
    searched: Object.values(OF_USER),
    sorts: { name: `lower(${OF_USER.name})`, email: `lower(${OF_USER.email})`, created_at: 'item.created_at' },
  },
} as const;

/** A page of an organization's active members. */
export const ORGANIZATION_MEMBERS_PAGE = pageStatement<OrganizationMemberEntity, [organizationId: string]>({
  ...ACTIVE_MEMBERS,
  view: WITH_USERS.view,
  name: 'organization_members_page',
});

/** A page of active members with what is known of the persons. */
export const ORGANIZATION_USERS_PAGE = pageStatement<MemberWithUser, [organizationId: string]>({
  ...ACTIVE_MEMBERS,
  ...WITH_USERS,
  name: 'organization_users_page',
});

/** A page of all members, active or not, with what is known of the persons. */
export const ORGANIZATION_ALL_USERS_PAGE = pageOfOrganization<MemberWithUser>({
  ...WITH_USERS,
  name: 'organization_all_users_page',
  entity: OrganizationMemberEntity,
});

/** Whether a user is an active member of an organization. */
export const SELECT_MEMBER = statement<{ id: string }, [organizationId: string, userId: string]>(
  'organization_member',
  'SELECT id FROM organization_members WHERE organization_id = $1 AND user_id = $2 AND deactivated_at IS NULL',
);

/** The roles of those among some users who are active members of an organization. */
export const ORGANIZATION_MEMBER_ROLES = statement<
  { user_id: string; role: MemberRole },
  [organizationId: string, userIds: readonly string[]]
>(
  'organization_member_roles',
  `SELECT user_id, role FROM organization_members
    WHERE organization_id = $1 AND user_id = ANY ($2::text[]) AND deactivated_at IS NULL`,
);

/** The users among some who are members of an organization, deactivated or not, and have not ended. */
export const ORGANIZATION_MEMBERS_AMONG = statement<
  { user_id: string },
  [organizationId: string, userIds: readonly string[]]
>(
  'organization_members_among',
  `SELECT user_id FROM organization_members
    WHERE organization_id = $1 AND user_id = ANY ($2::text[]) AND ended_at IS NULL`,
);

export const SCIM_ENABLED = statement<{ scim_enabled: boolean }, [organizationId: string]>(
  'organization_scim_enabled',
  'SELECT scim_enabled FROM organizations WHERE id = $1',
);

/** The oldest organization. */
export const FIRST_ORGANIZATION = statement<OrganizationEntity>(
  'organization_first',
  `SELECT ${columnsOf(OrganizationEntity, 'o')} FROM organizations o ORDER BY o.created_at, o.id LIMIT 1`,
);

/** Two organizations: whether there are several is asked without a count of all. */
export const FIRST_TWO_ORGANIZATIONS = statement<OrganizationEntity>(
  'organizations_first_two',
  `SELECT ${columnsOf(OrganizationEntity, 'o')} FROM organizations o ORDER BY o.id LIMIT 2`,
);

/** Every organization, oldest first, with how many members and keys it has. */
export const ORGANIZATIONS_OVERVIEW = statement<OrganizationOverview>(
  'organizations_overview',
  `SELECT ${columnsOf(OrganizationEntity, 'o')},
      (SELECT count(*)::integer FROM organization_members m WHERE m.organization_id = o.id) AS members,
      (SELECT count(*)::integer FROM api_keys k WHERE k.organization_id = o.id AND k.kind = 'api_key') AS "apiKeys",
      (SELECT count(*)::integer FROM api_keys k WHERE k.organization_id = o.id AND k.kind = 'management_key')
        AS "managementKeys"
    FROM organizations o ORDER BY o.created_at, o.id`,
);

export const ORGANIZATION_BY_ID = statement<OrganizationEntity, [organizationId: string]>(
  'organization_by_id',
  `SELECT ${columnsOf(OrganizationEntity, 'o')} FROM organizations o WHERE o.id = $1`,
);

/** Every active member of an organization, oldest first. */
export const ORGANIZATION_MEMBERS = statement<OrganizationMemberEntity, [organizationId: string]>(
  'organization_members',
  `SELECT ${columnsOf(OrganizationMemberEntity, 'm')} FROM organization_members m
    WHERE m.organization_id = $1 AND m.deactivated_at IS NULL ORDER BY m.created_at, m.id`,
);

export const SET_SCIM_ENABLED = statement<never, [organizationId: string, isEnabled: boolean]>(
  'organization_set_scim_enabled',
  'UPDATE organizations SET scim_enabled = $2 WHERE id = $1 AND scim_enabled <> $2',
);

export const INSERT_ORGANIZATION = insertStatement('organization_insert', OrganizationEntity, CREATED_NOW);

/** An organization, with how many members and keys it has. */
export type OrganizationOverview = OrganizationEntity & {
  readonly members: number;
  readonly apiKeys: number;
  readonly managementKeys: number;
};

/** The rows of organizations, users and memberships. */
@Injectable()
export class OrganizationsRepository {
  constructor(private readonly statements: Statements) {}

  async insert(tx: Transaction, organization: Omit<OrganizationEntity, 'createdAt'>): Promise<void> {
    await tx.write(INSERT_ORGANIZATION, INSERT_ORGANIZATION.values(organization));
  }

  /** The oldest organization, if there is one. */
  async first(tx?: Transaction): Promise<OrganizationEntity | undefined> {
    return (tx ?? this.statements).first(FIRST_ORGANIZATION, []);
  }

  async firstTwo(): Promise<OrganizationEntity[]> {
    return this.statements.rows(FIRST_TWO_ORGANIZATIONS, []);
  }

  async find(organizationId: string): Promise<OrganizationEntity | undefined> {
    return this.statements.first(ORGANIZATION_BY_ID, [organizationId]);
  }

  async overview(): Promise<OrganizationOverview[]> {
    return this.statements.rows(ORGANIZATIONS_OVERVIEW, []);
  }

  async membersOf(organizationId: string): Promise<OrganizationMemberEntity[]> {
    return this.statements.rows(ORGANIZATION_MEMBERS, [organizationId]);
  }

  async isMember(organizationId: string, userId: string): Promise<boolean> {
    return (await this.statements.first(SELECT_MEMBER, [organizationId, userId])) !== undefined;
  }

  async rolesOf(
    runner: StatementRunner,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<{ user_id: string; role: MemberRole }[]> {
    return runner.rows(ORGANIZATION_MEMBER_ROLES, [organizationId, userIds]);
  }

  /** @returns those who are members, deactivated or not, and have not ended */
  async membersAmong(tx: Transaction, organizationId: string, userIds: readonly string[]): Promise<Set<string>> {
    const rows = await tx.rows(ORGANIZATION_MEMBERS_AMONG, [organizationId, userIds]);
    return new Set(rows.map((row) => row.user_id));
  }

  async membersPage(organizationId: string, request: PageRequest): Promise<Page<OrganizationMemberEntity>> {
    return this.statements.page(ORGANIZATION_MEMBERS_PAGE, [organizationId], request);
  }

  async membersWithUsersPage(
    organizationId: string,
    request: PageRequest,
    includesDeactivated: boolean,
  ): Promise<Page<MemberWithUser>> {
    const page = includesDeactivated ? ORGANIZATION_ALL_USERS_PAGE : ORGANIZATION_USERS_PAGE;
    return this.statements.page(page, [organizationId], request);
  }

  /** Runs ahead of every SCIM operation, so it is a named statement of one column. */
  async isScimEnabled(organizationId: string): Promise<boolean> {
    const row = await this.statements.first(SCIM_ENABLED, [organizationId]);
    return row?.scim_enabled === true;
  }

  /** @returns whether that changed anything */
  async setScimEnabled(tx: Transaction, organizationId: string, enabled: boolean): Promise<boolean> {
    return (await tx.write(SET_SCIM_ENABLED, [organizationId, enabled])) === 1;
  }
}
