import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { type Page, type PageRow, toPage } from '../../../persistence/page-statement.js';
import { changedNow } from '../../../persistence/row-times.js';
import { singleStatement, statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { ScimGroupEntity } from '../entities/scim-group.entity.js';
import { type FilterAttribute, type FilterAttributes, filterCondition, type SqlCondition } from './filter-sql.js';
import { KNOWN_OF_MEMBER, MEMBER_FILTERS, SHOWN_USER_NAME } from './member-filters.js';
import type { ScimFilter } from './scim-filter.js';

/** A user in a group. */
export interface GroupMember {
  readonly groupId: string;
  readonly userId: string;
  readonly userName: string;
}

/** The most members that a page of groups shows; a group of more is a page of its own. */
export const MAXIMUM_SHOWN_MEMBERS = 10_000;

export const PROVISIONED_GROUP = statement<ScimGroupEntity, [organizationId: string, id: string]>(
  'scim_group_provisioned',
  `SELECT ${columnsOf(ScimGroupEntity, 'g')} FROM scim_groups g WHERE g.organization_id = $1 AND g.id = $2::uuid`,
);

/** What a group may not have because another one has it. */
export interface TakenGroupAttribute {
  readonly attribute: 'displayName' | 'externalId';
  readonly id: string;
}

/** Names are compared without case: Entra finds groups by them. Groups from before may have the same. */
export const TAKEN_GROUP_ATTRIBUTES = statement<
  TakenGroupAttribute,
  [organizationId: string, id: string, displayName: string, externalId: string | null]
>(
  'scim_groups_taken',
  `SELECT CASE WHEN lower(display_name) = lower($3::text) THEN 'displayName' ELSE 'externalId' END AS attribute, id FROM scim_groups
    WHERE organization_id = $1 AND id <> $2::uuid AND (lower(display_name) = lower($3::text) OR external_id = $4::text)
    ORDER BY id LIMIT 1`,
);

/** Writes the names of a group, and that it has changed. */
export const UPDATE_SCIM_GROUP = statement<
  ScimGroupEntity,
  [organizationId: string, id: string, displayName: string, externalId: string | null]
>(
  'scim_group_update',
  `UPDATE scim_groups g SET display_name = $3, external_id = $4, updated_at = ${changedNow('g.updated_at')}
    WHERE g.organization_id = $1 AND g.id = $2::uuid RETURNING ${columnsOf(ScimGroupEntity, 'g')}`,
);

/** The members of groups with their user names, in the order in which they joined. */
export const NAMED_SCIM_GROUP_MEMBERS = statement<GroupMember, [organizationId: string, ids: readonly string[]]>(
  'scim_group_members_named',
  `SELECT gm.scim_group_id AS "groupId", gm.user_id AS "userId", ${SHOWN_USER_NAME} AS "userName" FROM scim_group_members gm
    JOIN organization_members m ON m.organization_id = $1 AND m.user_id = gm.user_id AND m.ended_at IS NULL
    ${KNOWN_OF_MEMBER}
    WHERE gm.organization_id = $1 AND gm.scim_group_id = ANY ($2::uuid[]) ORDER BY gm.scim_group_id, gm.created_at, gm.user_id`,
);

/**
 * How many of some groups, from the first, together have few enough members to be shown, and one in any case. Members are counted group by
 * group, so that those of a group that is not shown are not read.
 */
export const SHOWN_WITH_MEMBERS = statement<{ shown: number }, [organizationId: string, ids: readonly string[]]>(
  'scim_groups_shown_with_members',
  `WITH RECURSIVE counted (place, members) AS (
      SELECT 0, 0::bigint
      UNION ALL
      SELECT before.place + 1, before.members + next.members FROM counted AS before CROSS JOIN LATERAL (
          SELECT count(*) AS members FROM (
            SELECT FROM scim_group_members
              WHERE organization_id = $1 AND scim_group_id = ($2::uuid[])[before.place + 1] LIMIT ${MAXIMUM_SHOWN_MEMBERS + 1}
          ) AS few
        ) AS next
        WHERE before.place < cardinality($2::uuid[]) AND before.members <= ${MAXIMUM_SHOWN_MEMBERS})
    SELECT max(place)::integer AS shown FROM counted WHERE place = 1 OR members <= ${MAXIMUM_SHOWN_MEMBERS}`,
);

/** The users among some who are members of an organization, deactivated or not: a directory may push groups of either. */
export const KNOWN_USERS = statement<{ user_id: string }, [organizationId: string, userIds: readonly string[]]>(
  'scim_users_known',
  `SELECT user_id FROM organization_members
    WHERE organization_id = $1 AND user_id = ANY ($2::text[]) AND ended_at IS NULL`,
);

const MEMBERS_OF_GROUP: FilterAttribute = {
  kind: 'several',
  from: 'scim_group_members gm WHERE gm.organization_id = $1 AND gm.scim_group_id = g.id',
  subs: MEMBER_FILTERS,
};

const GROUP_FILTERS: FilterAttributes = new Map<string, FilterAttribute>([
  ['id', { kind: 'text', sql: 'g.id::text', isExact: true }],
  ['displayname', { kind: 'text', sql: 'g.display_name' }],
  ['externalid', { kind: 'text', sql: 'g.external_id', isExact: true }],
  ['members', MEMBERS_OF_GROUP],
  ['meta.resourcetype', { kind: 'text', sql: `'Group'::text`, isExact: true }],
  ['meta.created', { kind: 'time', sql: 'g.created_at' }],
  ['meta.lastmodified', { kind: 'time', sql: 'g.updated_at' }],
]);

/** What traces call each page: filters make too many statements to prepare them. */
const PAGE_NAME = 'scim_provisioned_groups_page';

/** What traces call each search among members: as for pages. */
const SEARCH_NAME = 'scim_group_members_matching';

/** The rows of groups as a directory provisions them. */
@Injectable()
export class ProvisionedGroupsRepository {
  constructor(private readonly statements: Statements) {}

  async find(runner: StatementRunner, organizationId: string, id: string): Promise<ScimGroupEntity | undefined> {
    return runner.first(PROVISIONED_GROUP, [organizationId, id]);
  }

  async read(organizationId: string, id: string): Promise<ScimGroupEntity | undefined> {
    return this.find(this.statements, organizationId, id);
  }

  /** A page of the groups that meet a filter, oldest first. @throws BadRequestError for an attribute that is not filtered by */
  async page(
    organizationId: string,
    filter: ScimFilter | undefined,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<Page<ScimGroupEntity>> {
    const condition = filter && filterCondition(filter, GROUP_FILTERS, 4);
    const where = `g.organization_id = $1${condition === undefined ? '' : ` AND ${condition.sql}`}`;
    const page = singleStatement<PageRow<ScimGroupEntity>, unknown[]>(
      PAGE_NAME,
      `WITH found AS MATERIALIZED (SELECT g.id, g.created_at FROM scim_groups g WHERE ${where})
      SELECT total.total_count, page.* FROM (SELECT count(*) AS total_count FROM found) AS total LEFT JOIN (
        SELECT true AS is_item, ${columnsOf(ScimGroupEntity, 'g')}
        FROM (SELECT * FROM found ORDER BY created_at, id LIMIT $2::bigint OFFSET $3::bigint) AS asked
        JOIN scim_groups g ON g.organization_id = $1 AND g.id = asked.id
      ) AS page ON true ORDER BY page."createdAt", page.id`,
    );
    return toPage(await this.statements.rows(page, [organizationId, limit, offset, ...(condition?.values ?? [])]));
  }

  /** The members of groups, all of them. @param ids of one group, or of as many as {@link shownWithMembers} says */
  async membersOf(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, GroupMember[]>> {
    const members = new Map(ids.map((id): [string, GroupMember[]] => [id, []]));
    for (const member of await this.statements.rows(NAMED_SCIM_GROUP_MEMBERS, [organizationId, ids])) {
      members.get(member.groupId)!.push(member);
    }
    return members;
  }

  /** How many of some groups, from the first, can be shown with their members: one at least. */
  async shownWithMembers(organizationId: string, ids: readonly string[]): Promise<number> {
    return (await this.statements.first(SHOWN_WITH_MEMBERS, [organizationId, ids]))!.shown;
  }

  /** The users who meet a condition about members, among those of a group and some who join it. */
  async matching(
    tx: Transaction,
    organizationId: string,
    id: string,
    joining: readonly string[],
    { sql, values }: SqlCondition,
  ): Promise<string[]> {
    const search = singleStatement<{ user_id: string }, unknown[]>(
      SEARCH_NAME,
      `SELECT gm.user_id FROM (
          SELECT user_id FROM scim_group_members WHERE organization_id = $1 AND scim_group_id = $2::uuid
          UNION SELECT unnest($3::text[])) AS gm (user_id) WHERE ${sql}`,
    );
    return (await tx.rows(search, [organizationId, id, joining, ...values])).map((row) => row.user_id);
  }

  /** The users among some who are members of the organization. */
  async known(tx: Transaction, organizationId: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set((await tx.rows(KNOWN_USERS, [organizationId, userIds])).map((row) => row.user_id));
  }

  /** @returns one attribute that another group has; undefined if both are free */
  async taken(
    tx: Transaction,
    organizationId: string,
    id: string,
    { displayName, externalId }: Pick<ScimGroupEntity, 'displayName' | 'externalId'>,
  ): Promise<TakenGroupAttribute | undefined> {
    return tx.first(TAKEN_GROUP_ATTRIBUTES, [organizationId, id, displayName, externalId]);
  }

  /** @returns the group as it is stored */
  async update(tx: Transaction, group: ScimGroupEntity): Promise<ScimGroupEntity> {
    const { organizationId, id, displayName, externalId } = group;
    return (await tx.first(UPDATE_SCIM_GROUP, [organizationId, id, displayName, externalId]))!;
  }
}
