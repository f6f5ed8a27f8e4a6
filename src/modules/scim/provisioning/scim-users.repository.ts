import { Injectable } from '@nestjs/common';
import type { ProvisioningPrincipal } from '../../../auth/principal.js';
import { type Page, type PageRow, toPage } from '../../../persistence/page-statement.js';
import { singleStatement, statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import type { Attributes } from './attribute-value.js';
import { type FilterAttribute, type FilterAttributes, filterCondition, requiredValue } from './filter-sql.js';
import type { ScimFilter } from './scim-filter.js';
import { ENTERPRISE_SCHEMA } from './scim-path.js';
import { LOCK_ORGANIZATION_OF_TOKENS } from '../tokens/provisioning-tokens.repository.js';

/** A member as a directory sees it, with what it has said of it. */
export interface ProvisionedUser {
  readonly userId: string;
  /** Null for a member whom no directory manages. */
  readonly scimUserName: string | null;
  readonly externalId: string | null;
  /** The issuer at which the `externalId` counts; null for none. */
  readonly issuer: string | null;
  readonly attributes: Attributes | null;
  readonly name: string;
  readonly email: string;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly deactivatedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A group of a user. */
export interface GroupOfUser {
  readonly userId: string;
  readonly groupId: string;
  readonly displayName: string;
}

/** How many groups of a user are shown. */
const SHOWN_GROUPS = 200;

const NAME = 'coalesce(m.name, u.name)';
const EMAIL = 'coalesce(m.email, u.email)';

const COLUMNS = `m.user_id AS "userId", s.user_name AS "scimUserName", s.external_id AS "externalId", s.issuer, s.attributes,
  ${NAME} AS name, ${EMAIL} AS email, m.given_name AS "givenName", m.family_name AS "familyName",
  m.deactivated_at AS "deactivatedAt", m.created_at AS "createdAt",
  greatest(m.created_at, m.deactivated_at, s.updated_at) AS "updatedAt"`;

const MEMBERS = `organization_members m LEFT JOIN users u ON u.id = m.user_id
  LEFT JOIN scim_users s ON s.organization_id = $1 AND s.user_id = m.user_id`;

/** Services belong to no directory, and who has ended is gone. */
const IS_SHOWN = `m.organization_id = $1 AND m.ended_at IS NULL AND m.kind = 'person'`;

export const PROVISIONED_USER = statement<ProvisionedUser, [organizationId: string, userId: string]>(
  'scim_user',
  `SELECT ${COLUMNS} FROM ${MEMBERS} WHERE ${IS_SHOWN} AND m.user_id = $2`,
);

/** Lets one transaction at a time write users or names of groups of an organization, as members are added. */
export const LOCK_ORGANIZATION_OF_DIRECTORY = statement<{ id: string }, [organizationId: string]>(
  'scim_organization_lock',
  'SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE',
);

/** What a user may not have because another one has it. */
export interface TakenAttribute {
  readonly attribute: 'userName' | 'externalId' | 'email';
  readonly userId: string;
  /** Whether no directory manages the member who has it. */
  readonly isManual: boolean;
}

export const TAKEN_USER_ATTRIBUTES = statement<
  TakenAttribute,
  [organizationId: string, userId: string, userNameKey: string, externalId: string | null, emailKey: string]
>(
  'scim_users_taken',
  `SELECT 'userName' AS attribute, user_id AS "userId", false AS "isManual" FROM scim_users
      WHERE organization_id = $1 AND user_name_key = $3 AND user_id <> $2
    UNION ALL
    SELECT 'externalId', user_id, false FROM scim_users WHERE organization_id = $1 AND external_id = $4 AND user_id <> $2
    UNION ALL
    SELECT 'email', m.user_id, s.user_id IS NULL FROM organization_members m
      LEFT JOIN scim_users s ON s.organization_id = $1 AND s.user_id = m.user_id
      WHERE m.organization_id = $1 AND m.email_key = $5 AND m.user_id <> $2 AND m.ended_at IS NULL
    UNION ALL
    SELECT 'userName', m.user_id, true FROM organization_members m
      WHERE m.organization_id = $1 AND m.email_key = $3 AND m.user_id <> $2 AND m.ended_at IS NULL AND m.kind = 'person'
        AND NOT EXISTS (SELECT FROM scim_users s WHERE s.organization_id = $1 AND s.user_id = m.user_id)
    LIMIT 1`,
);

/** What is stored of a user. */
export interface StoredUser {
  readonly userName: string;
  readonly userNameKey: string;
  readonly externalId: string | null;
  readonly attributes: Attributes;
}

export const WRITE_SCIM_USER = statement<
  { issuer: string | null },
  [
    organizationId: string,
    userId: string,
    userName: string,
    userNameKey: string,
    externalId: string | null,
    attributes: string,
    tokenId: string,
  ]
>(
  'scim_user_write',
  `INSERT INTO scim_users AS s (organization_id, user_id, user_name, user_name_key, external_id, attributes, issuer, created_at, updated_at)
    SELECT $1, $2, $3, $4, $5, $6::jsonb, max(t.issuer), statement_timestamp(), statement_timestamp()
    FROM provisioning_tokens t WHERE t.organization_id = $1 AND t.id = $7::uuid
    ON CONFLICT (organization_id, user_id) DO UPDATE SET user_name = excluded.user_name, user_name_key = excluded.user_name_key,
      external_id = excluded.external_id, attributes = excluded.attributes, issuer = excluded.issuer, updated_at = greatest(s.updated_at, excluded.updated_at)
    RETURNING issuer`,
);

/** An issuer of an organization that gets another text. */
export interface RenamedIssuer {
  readonly organizationId: string;
  readonly before: string;
  readonly after: string;
}

/** Binds what directories have written to another text of an issuer, and their tokens. */
export const RENAME_ISSUER_OF_DIRECTORIES = statement<never, [organizationId: string, before: string, after: string]>(
  'scim_issuer_rename',
  `WITH tokens AS (UPDATE provisioning_tokens SET issuer = $3 WHERE organization_id = $1 AND issuer = $2)
    UPDATE scim_users SET issuer = $3 WHERE organization_id = $1 AND issuer = $2`,
);

/**
 * The user to whom a directory of an issuer gave an `externalId`, as long as a token is bound to the issuer. Neither changes until the
 * transaction ends.
 */
export const USER_OF_EXTERNAL_ID = statement<
  { userId: string },
  [organizationId: string, externalId: string, issuer: string]
>(
  'scim_user_of_external_id',
  `SELECT s.user_id AS "userId" FROM scim_users s
    JOIN provisioning_tokens t ON t.organization_id = $1 AND t.issuer = $3
    WHERE s.organization_id = $1 AND s.external_id = $2 AND s.issuer = $3 FOR SHARE OF s FOR KEY SHARE OF t`,
);

type OfUsers = [organizationId: string, userIds: readonly string[]];

export const DELETE_SCIM_USERS = statement<never, OfUsers>(
  'scim_users_delete',
  'DELETE FROM scim_users WHERE organization_id = $1 AND user_id = ANY ($2::text[])',
);

/** Locks the groups of users in the order in which they are locked everywhere. */
export const LOCK_GROUPS_OF_USERS = statement<{ id: string }, OfUsers>(
  'scim_groups_of_users_lock',
  `SELECT g.id FROM scim_groups g WHERE g.organization_id = $1 AND g.id IN (
      SELECT scim_group_id FROM scim_group_members WHERE organization_id = $1 AND user_id = ANY ($2::text[]))
    ORDER BY g.id FOR NO KEY UPDATE`,
);

/** Takes users out of all groups. Triggers converge the memberships of workspaces. */
export const DELETE_GROUPS_OF_USERS = statement<{ scim_group_id: string }, OfUsers>(
  'scim_groups_of_users_delete',
  `DELETE FROM scim_group_members WHERE organization_id = $1 AND user_id = ANY ($2::text[]) RETURNING scim_group_id`,
);

export const GROUPS_OF_USERS = statement<GroupOfUser, [organizationId: string, userIds: readonly string[]]>(
  'scim_groups_of_users',
  `SELECT asked.user_id AS "userId", g.id AS "groupId", g.display_name AS "displayName"
    FROM unnest($2::text[]) AS asked (user_id) CROSS JOIN LATERAL (
      SELECT g.id, g.display_name FROM scim_group_members gm
        JOIN scim_groups g ON g.organization_id = $1 AND g.id = gm.scim_group_id
      WHERE gm.organization_id = $1 AND gm.user_id = asked.user_id ORDER BY g.id LIMIT ${SHOWN_GROUPS}) AS g`,
);

/** What is kept of a user, or would be of one whom no directory manages. */
const DOCUMENT = `coalesce(s.attributes, jsonb_build_object('displayName', ${NAME},
  'name', jsonb_strip_nulls(jsonb_build_object('formatted', ${NAME}, 'givenName', m.given_name, 'familyName', m.family_name)),
  'emails', jsonb_build_array(jsonb_build_object('value', ${EMAIL}, 'type', 'work', 'primary', true))))`;

function textAt(...path: string[]): FilterAttribute {
  return { kind: 'text', sql: `(${DOCUMENT} #>> '{${path.map((name) => `"${name}"`).join(',')}}')` };
}

function severalAt(name: string, subs: readonly string[]): FilterAttribute {
  const attributes = subs.map((sub): [string, FilterAttribute] => [
    sub.toLowerCase(),
    { kind: 'text', sql: `(one.value ->> '${sub}')` },
  ]);
  const primary: [string, FilterAttribute] = ['primary', { kind: 'flag', sql: `((one.value ->> 'primary')::boolean)` }];
  return {
    kind: 'several',
    from: `jsonb_array_elements(coalesce(${DOCUMENT} -> '${name}', '[]')) AS one (value) WHERE true`,
    subs: new Map([...attributes, primary]),
  };
}

const NAME_PARTS = ['formatted', 'givenName', 'familyName', 'middleName', 'honorificPrefix', 'honorificSuffix'];
const TEXTS = ['displayName', 'nickName', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone', 'profileUrl'];
const ENTERPRISE_TEXTS = ['employeeNumber', 'costCenter', 'organization', 'division', 'department'];

const USER_FILTERS: FilterAttributes = new Map<string, FilterAttribute>([
  ['id', { kind: 'text', sql: 'm.user_id', isExact: true }],
  ['username', { kind: 'text', sql: `coalesce(s.user_name_key, m.email_key, lower(u.email))`, isKey: true }],
  ['externalid', { kind: 'text', sql: 's.external_id', isExact: true }],
  ['active', { kind: 'flag', sql: '(m.deactivated_at IS NULL)' }],
  ['meta.resourcetype', { kind: 'text', sql: `'User'::text`, isExact: true }],
  ['meta.created', { kind: 'time', sql: 'm.created_at' }],
  ['meta.lastmodified', { kind: 'time', sql: 'greatest(m.created_at, m.deactivated_at, s.updated_at)' }],
  ...NAME_PARTS.map((part): [string, FilterAttribute] => [`name.${part.toLowerCase()}`, textAt('name', part)]),
  ...TEXTS.map((name): [string, FilterAttribute] => [name.toLowerCase(), textAt(name)]),
  ['emails', severalAt('emails', ['value', 'type', 'display'])],
  ['phonenumbers', severalAt('phoneNumbers', ['value', 'type', 'display'])],
  ['roles', severalAt('roles', ['value', 'type', 'display'])],
  [
    'addresses',
    severalAt('addresses', ['formatted', 'type', 'streetAddress', 'locality', 'region', 'postalCode', 'country']),
  ],
  [
    'groups',
    {
      kind: 'several',
      from: 'scim_group_members gm WHERE gm.organization_id = $1 AND gm.user_id = m.user_id',
      subs: new Map<string, FilterAttribute>([
        ['value', { kind: 'text', sql: 'gm.scim_group_id::text', isExact: true }],
        [
          'display',
          {
            kind: 'text',
            sql: '(SELECT g.display_name FROM scim_groups g WHERE g.organization_id = $1 AND g.id = gm.scim_group_id)',
          },
        ],
        ['type', { kind: 'text', sql: `'direct'::text` }],
      ]),
    },
  ],
  ...ENTERPRISE_TEXTS.map((name): [string, FilterAttribute] => [
    `enterprise:${name.toLowerCase()}`,
    textAt(ENTERPRISE_SCHEMA, name),
  ]),
  ['enterprise:manager', textAt(ENTERPRISE_SCHEMA, 'manager', 'value')],
  ['enterprise:manager.value', textAt(ENTERPRISE_SCHEMA, 'manager', 'value')],
  ['enterprise:manager.displayname', textAt(ENTERPRISE_SCHEMA, 'manager', 'displayName')],
]);

/** Who has a user name, by two indexes: a directory asks for it before each user that it creates. */
const HAS_USER_NAME = (parameter: string): string => `m.user_id IN (
    SELECT user_id FROM scim_users WHERE organization_id = $1 AND user_name_key = ${parameter}
    UNION ALL SELECT user_id FROM organization_members WHERE organization_id = $1 AND email_key = ${parameter})`;

const HAS_EXTERNAL_ID = (parameter: string): string => `m.user_id IN (
    SELECT user_id FROM scim_users WHERE organization_id = $1 AND external_id = ${parameter})`;

/** What traces call each page: filters make too many statements to prepare them. */
const PAGE_NAME = 'scim_users_page';

/** The rows of users as a directory provisions them. */
@Injectable()
export class ScimUsersRepository {
  constructor(private readonly statements: Statements) {}

  async find(runner: StatementRunner, organizationId: string, userId: string): Promise<ProvisionedUser | undefined> {
    return runner.first(PROVISIONED_USER, [organizationId, userId]);
  }

  async read(organizationId: string, userId: string): Promise<ProvisionedUser | undefined> {
    return this.find(this.statements, organizationId, userId);
  }

  /**
   * A page of the users that meet a filter, oldest first.
   *
   * @throws BadRequestError for a filter about an attribute that is not filtered by
   */
  async page(
    organizationId: string,
    filter: ScimFilter | undefined,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<Page<ProvisionedUser>> {
    const condition = filter && filterCondition(filter, USER_FILTERS, 4);
    const values: unknown[] = [organizationId, limit, offset, ...(condition?.values ?? [])];
    const narrowing = narrowingOf(filter, values);
    const where = [IS_SHOWN, ...narrowing, ...(condition === undefined ? [] : [condition.sql])].join(' AND ');
    const page = singleStatement<PageRow<ProvisionedUser>, unknown[]>(
      PAGE_NAME,
      `WITH found AS MATERIALIZED (SELECT m.user_id, m.created_at, m.id FROM ${MEMBERS} WHERE ${where})
      SELECT total.total_count, page.* FROM (SELECT count(*) AS total_count FROM found) AS total LEFT JOIN (
        SELECT true AS is_item, asked.id AS "rowId", ${COLUMNS}
        FROM (SELECT * FROM found ORDER BY created_at, id LIMIT $2::bigint OFFSET $3::bigint) AS asked
        JOIN organization_members m ON m.organization_id = $1 AND m.user_id = asked.user_id
        LEFT JOIN users u ON u.id = m.user_id
        LEFT JOIN scim_users s ON s.organization_id = $1 AND s.user_id = m.user_id
      ) AS page ON true ORDER BY page."createdAt", page."rowId"`,
    );
    return toPage(await this.statements.rows(page, values));
  }

  /** The groups of users, 200 of each at most. */
  async groupsOf(organizationId: string, userIds: readonly string[]): Promise<GroupOfUser[]> {
    return this.statements.rows(GROUPS_OF_USERS, [organizationId, userIds]);
  }

  /** Holds the organization, so that what is unique is judged by one transaction at a time. */
  async lockOrganization(tx: Transaction, organizationId: string): Promise<void> {
    await tx.rows(LOCK_ORGANIZATION_OF_DIRECTORY, [organizationId]);
  }

  /** @returns one attribute that another user has; undefined if all are free */
  async taken(
    tx: Transaction,
    organizationId: string,
    userId: string,
    { userNameKey, externalId }: StoredUser,
    emailKey: string,
  ): Promise<TakenAttribute | undefined> {
    return tx.first(TAKEN_USER_ATTRIBUTES, [organizationId, userId, userNameKey, externalId, emailKey]);
  }

  /** Writes what a directory says of a user: its token says at which issuer the `externalId` counts. @returns that; null for none */
  async write(
    tx: Transaction,
    { organizationId, credentialId }: ProvisioningPrincipal,
    userId: string,
    { userName, userNameKey, externalId, attributes }: StoredUser,
  ): Promise<string | null> {
    const names = [organizationId, userId, userName, userNameKey, externalId] as const;
    return (await tx.first(WRITE_SCIM_USER, [...names, JSON.stringify(attributes), credentialId]))!.issuer;
  }

  async renameIssuer(tx: Transaction, { organizationId, before, after }: RenamedIssuer): Promise<void> {
    // What a directory writes meanwhile would be bound to the earlier text.
    await tx.first(LOCK_ORGANIZATION_OF_TOKENS, [organizationId]);
    await tx.write(RENAME_ISSUER_OF_DIRECTORIES, [organizationId, before, after]);
  }

  /** The user to whom a directory of an issuer gave an `externalId`. */
  async userOfExternalId(
    tx: Transaction,
    organizationId: string,
    issuer: string,
    externalId: string,
  ): Promise<string | undefined> {
    return (await tx.first(USER_OF_EXTERNAL_ID, [organizationId, externalId, issuer]))?.userId;
  }

  /** Frees the names of users, and takes them out of their groups. @returns the groups that they were in */
  async delete(tx: Transaction, organizationId: string, userIds: readonly string[]): Promise<string[]> {
    await tx.write(DELETE_SCIM_USERS, [organizationId, userIds]);
    await tx.rows(LOCK_GROUPS_OF_USERS, [organizationId, userIds]);
    const rows = await tx.rows(DELETE_GROUPS_OF_USERS, [organizationId, userIds]);
    return [...new Set(rows.map((row) => row.scim_group_id))];
  }
}

/** Conditions that an index answers, of what a filter demands besides; their parameters are added to the values. */
function narrowingOf(filter: ScimFilter | undefined, values: unknown[]): string[] {
  const conditions: string[] = [];
  const userName = requiredValue(filter, 'username');
  if (userName !== undefined) conditions.push(HAS_USER_NAME(`$${values.push(userName.toLowerCase())}::text`));
  const externalId = requiredValue(filter, 'externalid');
  if (externalId !== undefined) conditions.push(HAS_EXTERNAL_ID(`$${values.push(externalId)}::text`));
  return conditions;
}
