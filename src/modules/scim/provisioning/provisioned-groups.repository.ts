import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { type Page, type PageRow, toPage } from '../../../persistence/page-statement.js';
import { changedNow } from '../../../persistence/row-times.js';
import { singleStatement, statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { ScimGroupEntity } from '../entities/scim-group.entity.js';
import { type FilterAttribute, type FilterAttributes, filterCondition } from './filter-sql.js';
import type { ScimFilter } from './scim-filter.js';

/** A user in a group. */
export interface GroupMember {
  readonly userId: string;
  readonly userName: string;
}

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

/** The members of a group with their user names, in the order in which they joined. */
export const NAMED_SCIM_GROUP_MEMBERS = statement<GroupMember, [organizationId: string, id: string]>(
  'scim_group_members_named',
  `SELECT gm.user_id AS "userId", coalesce(s.user_name, m.email, u.email) AS "userName" FROM scim_group_members gm
    JOIN organization_members m ON m.organization_id = $1 AND m.user_id = gm.user_id AND m.ended_at IS NULL
    LEFT JOIN users u ON u.id = gm.user_id
    LEFT JOIN scim_users s ON s.organization_id = $1 AND s.user_id = gm.user_id
    WHERE gm.organization_id = $1 AND gm.scim_group_id = $2::uuid ORDER BY gm.created_at, gm.user_id`,
);

/** Those among some users who are members of an organization, deactivated or not: a directory may push groups of either. */
export const KNOWN_USERS = statement<{ user_id: string }, [organizationId: string, userIds: readonly string[]]>(
  'scim_users_known',
  `SELECT user_id FROM organization_members
    WHERE organization_id = $1 AND user_id = ANY ($2::text[]) AND ended_at IS NULL`,
);

const MEMBERS_OF_GROUP: FilterAttribute = {
  kind: 'several',
  from: 'scim_group_members gm WHERE gm.organization_id = $1 AND gm.scim_group_id = g.id',
  subs: new Map([['value', { kind: 'text', sql: 'gm.user_id', isExact: true }]]),
};

/** What groups can be filtered by. */
const GROUP_FILTERS: FilterAttributes = new Map<string, FilterAttribute>([
  ['id', { kind: 'text', sql: 'g.id::text', isExact: true }],
  ['displayname', { kind: 'text', sql: 'g.display_name' }],
  ['externalid', { kind: 'text', sql: 'g.external_id', isExact: true }],
  ['members', MEMBERS_OF_GROUP],
  ['meta.created', { kind: 'time', sql: 'g.created_at' }],
  ['meta.lastmodified', { kind: 'time', sql: 'g.updated_at' }],
]);

/** What traces call each page: filters make too many statements to prepare them. */
const PAGE_NAME = 'scim_provisioned_groups_page';

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

  /** The members of a group. */
  async membersOf(organizationId: string, id: string): Promise<GroupMember[]> {
    return this.statements.rows(NAMED_SCIM_GROUP_MEMBERS, [organizationId, id]);
  }

  /** Those among some users who are members of the organization. */
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
