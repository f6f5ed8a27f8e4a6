import { Injectable } from '@nestjs/common';
import { type Statement, statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import type { TotalScope } from '../entities/usage-total.entity.js';
import { usageRows } from '../totals/usage-rows.js';
import type { ActivitySearch } from './activity-search.js';

/** What was used on one day. Sums are decimal texts. */
export interface ActivityRow {
  readonly date: string;
  /** The workspace; empty for none, and if workspaces are not told apart. */
  readonly workspaceId: string;
  readonly model: string;
  readonly permaslug: string;
  readonly endpoint: string;
  readonly providerName: string;
  readonly requests: string;
  readonly promptTokens: string;
  readonly completionTokens: string;
  readonly reasoningTokens: string;
  readonly usage: string;
  readonly byokUsage: string;
}

/** The activity of one key, with the names that still exist. */
export interface KeyActivityRow extends ActivityRow {
  readonly workspaceName: string | null;
  readonly keyHash: string | null;
  readonly keyName: string | null;
  readonly userId: string;
  readonly userName: string | null;
}

type SearchValues = [
  organizationId: string,
  from: Date,
  until: Date,
  keyHash: Buffer | null,
  userId: string | null,
  workspaceId: string | null,
];

type ActivityStatement = Statement<ActivityRow, [...SearchValues, byWorkspace: boolean, maximum: number]>;

type KeyActivityStatement = Statement<KeyActivityRow, [...SearchValues, maximum: number]>;

/** The rows of a search, by what they are found by. */
const ROWS = {
  anyKey: rowsOf('key', '$4::bytea IS NULL AND $5::text IS NULL'),
  // A key is found by its id, and not among all rows of its member.
  key: rowsOf(
    'key',
    `($5::text IS NULL OR t.user_id = $5)
        AND t.key_id = (SELECT k.id::text FROM api_keys k WHERE k.organization_id = $1 AND k.hash = $4)`,
  ),
  member: rowsOf('key', '$4::bytea IS NULL AND t.user_id = $5'),
  workspace: rowsOf('workspace', '$4::bytea IS NULL AND $5::text IS NULL'),
};

/** The days of a search. The rows of requests that were refused, and cost nothing, are left out. */
function rowsOf(scope: TotalScope, condition: string): string {
  return usageRows(
    scope,
    [{ period: 'day', from: '$2', until: '$3' }],
    `(t.request_count > 0 OR t.usage_usd > 0 OR t.byok_usage_usd > 0) AND ($6::text IS NULL OR t.workspace_id = $6) AND ${condition}`,
  );
}

const DATE = `to_char(t.starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

const SUMS = `sum(t.request_count) AS requests, sum(t.prompt_tokens) AS "promptTokens",
          sum(t.completion_tokens) AS "completionTokens", sum(t.reasoning_tokens) AS "reasoningTokens",
          sum(t.usage_usd) AS usage, sum(t.byok_usage_usd) AS "byokUsage"`;

const NAMES_OF_MODEL = `coalesce(m.canonical_slug, used.model) AS permaslug, coalesce(own.name, p.name, used.provider) AS "providerName"`;

const MODEL_AND_PROVIDER = `LEFT JOIN models m ON m.id = used.model LEFT JOIN providers p ON p.slug = used.provider
      LEFT JOIN private_providers own ON own.organization_id = $1 AND own.slug = used.provider`;

/** The activity of all keys of the organization. */
export const ACTIVITY = activityStatement('activity', ROWS.workspace);

export const ACTIVITY_OF_KEY = activityStatement('activity_of_key', ROWS.key);

/** The activity of all keys of a member. */
export const ACTIVITY_OF_MEMBER = activityStatement('activity_of_member', ROWS.member);

/** The activity of each key of the organization. */
export const ACTIVITY_BY_KEY = keyActivityStatement('activity_by_key', ROWS.anyKey);

/** The activity of one key, as that of each. */
export const ACTIVITY_BY_KEY_OF_KEY = keyActivityStatement('activity_by_key_of_key', ROWS.key);

export const ACTIVITY_BY_KEY_OF_MEMBER = keyActivityStatement('activity_by_key_of_member', ROWS.member);

function activityStatement(name: string, rows: string): ActivityStatement {
  return statement(
    name,
    `SELECT used.*, ${NAMES_OF_MODEL} FROM (
        SELECT ${DATE} AS date, CASE WHEN $7 THEN t.workspace_id ELSE '' END AS "workspaceId", t.model, t.provider, t.endpoint,
          ${SUMS}
        FROM (${rows}) AS t
        GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5 LIMIT $8
      ) AS used ${MODEL_AND_PROVIDER}
      ORDER BY used.date, used."workspaceId", used.model, used.provider, used.endpoint`,
  );
}

function keyActivityStatement(name: string, rows: string): KeyActivityStatement {
  return statement(
    name,
    `SELECT used.*, ${NAMES_OF_MODEL}, w.name AS "workspaceName", k.name AS "keyName", encode(k.hash, 'hex') AS "keyHash",
        u.name AS "userName"
      FROM (
        SELECT ${DATE} AS date, t.workspace_id AS "workspaceId", t.key_id AS "keyId", t.user_id AS "userId", t.model, t.provider,
          t.endpoint, ${SUMS}
        FROM (${rows}) AS t GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7 LIMIT $7
      ) AS used ${MODEL_AND_PROVIDER}
      LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = nullif(used."workspaceId", '')::uuid
      LEFT JOIN api_keys k ON k.organization_id = $1 AND k.id = used."keyId"::uuid
      LEFT JOIN users u ON u.id = used."userId"
      ORDER BY used.date, used."workspaceId", used."keyId", used."userId", used.model, used.provider, used.endpoint`,
  );
}

/** The totals of days. */
@Injectable()
export class ActivityRepository {
  constructor(private readonly statements: Statements) {}

  /** @param byWorkspace whether there is a row for each workspace @param maximum of rows */
  rows(organizationId: string, search: ActivitySearch, byWorkspace: boolean, maximum: number): Promise<ActivityRow[]> {
    const found = chosenBy(search, ACTIVITY, ACTIVITY_OF_KEY, ACTIVITY_OF_MEMBER);
    return this.statements.rows(found, [...valuesOf(organizationId, search), byWorkspace, maximum]);
  }

  /** @param maximum of rows */
  rowsByKey(organizationId: string, search: ActivitySearch, maximum: number): Promise<KeyActivityRow[]> {
    const found = chosenBy(search, ACTIVITY_BY_KEY, ACTIVITY_BY_KEY_OF_KEY, ACTIVITY_BY_KEY_OF_MEMBER);
    return this.statements.rows(found, [...valuesOf(organizationId, search), maximum]);
  }
}

function chosenBy<Chosen>({ keyHash, userId }: ActivitySearch, all: Chosen, ofKey: Chosen, ofMember: Chosen): Chosen {
  if (keyHash !== null) return ofKey;
  return userId === null ? all : ofMember;
}

function valuesOf(organizationId: string, { from, until, keyHash, userId, workspaceId }: ActivitySearch): SearchValues {
  return [organizationId, from, until, keyHash, userId, workspaceId];
}
