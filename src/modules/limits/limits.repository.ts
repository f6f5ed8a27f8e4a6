import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../persistence/entity-columns.js';
import { insertStatement } from '../../persistence/insert-statement.js';
import {
  countedPage,
  hasText,
  pageOfOrganization,
  type PageRow,
  type PageStatement,
  type PageValues,
  sortedBy,
  VIEW_BY_NAME,
} from '../../persistence/page-statement.js';
import { CREATED_AND_UPDATED_NOW, CREATED_NOW } from '../../persistence/row-times.js';
import { shortestDecimal } from '../../persistence/shortest-decimal.js';
import { singleStatement, statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import { AuditedRows } from '../audit/audited-rows.js';
import { LimitEntity, LimitExceptionEntity } from './entities/limit.entity.js';
import type { CombinationValues } from './limit-vocabulary.js';
import { LimitNotFound } from './limits.errors.js';
import { isBlockIn } from './block-names.js';
import { windowForecast } from './window-forecast.js';

/** A page of the limits of an organization, oldest first. */
export const LIMITS_PAGE = pageOfOrganization<LimitEntity>({
  name: 'limits_page',
  entity: LimitEntity,
  view: VIEW_BY_NAME,
});

/** The limits of organizations. */
export const LIMITS = new AuditedRows({
  entity: LimitEntity,
  one: 'limit',
  notFound: LimitNotFound,
  quota: 'limits',
  fields: {
    name: {},
    workspaceId: { initial: null, fixed: true },
    conditions: { initial: [] },
    groupBy: { initial: [], fixed: true },
    measure: { fixed: true },
    amount: {},
    window: { initial: null, fixed: true },
    onMissing: { initial: 'none' },
    includeByok: { initial: false },
    enforcement: { initial: 'enforce' },
    alertAt: { initial: [0.8, 1] },
  },
  created: CREATED_AND_UPDATED_NOW,
  create: 'limit_create',
  // Admissions lock the limit of a new counter, too.
  lock: 'FOR NO KEY UPDATE',
});

/** A page of the exceptions of a limit, oldest first. */
export const LIMIT_EXCEPTIONS_PAGE = countedPage<LimitExceptionEntity, [organizationId: string, limitId: string]>({
  name: 'limit_exceptions_page',
  entity: LimitExceptionEntity,
  where: 'organization_id = $1 AND limit_id = $2::uuid',
  parameters: 2,
  scope: `$1 || '/' || $2::uuid`,
  order: ['createdAt', 'id'],
  view: {
    searched: [valuesIn('item')],
    sorts: { amount: 'item.amount', until: `coalesce(item.until, 'infinity')`, created_at: 'item.created_at' },
  },
});

/** The values of a combination as one text. @param row the row that has them */
function valuesIn(row: string): string {
  return `(SELECT string_agg(one.value, ' ') FROM jsonb_each_text(${row}."values") AS one)`;
}

/** How many exceptions a limit $2 of the organization $1 has, up to $3. */
export const COUNT_EXCEPTIONS = statement<{ count: number }, [organizationId: string, limitId: string, most: number]>(
  'limit_exceptions_count',
  `SELECT count(*)::int AS count FROM (
      SELECT FROM limit_exceptions WHERE organization_id = $1 AND limit_id = $2::uuid LIMIT $3::bigint) AS counted`,
);

/** The amounts of the exceptions of a limit that apply now. */
export const EXCEPTIONS_IN_FORCE = statement<
  Pick<LimitExceptionEntity, 'combination' | 'amount'>,
  [organizationId: string, limitId: string]
>(
  'limit_exceptions_in_force',
  `SELECT e.combination, e.amount FROM limit_exceptions e
    WHERE e.organization_id = $1 AND e.limit_id = $2::uuid AND (e.until IS NULL OR e.until > now())`,
);

export const INSERT_EXCEPTION = insertStatement('limit_exception_insert', LimitExceptionEntity, CREATED_NOW);

/** Deletes an exception of a limit. */
export const DELETE_EXCEPTION = statement<LimitExceptionEntity, [organizationId: string, limitId: string, id: string]>(
  'limit_exception_delete',
  `DELETE FROM limit_exceptions AS item WHERE item.organization_id = $1 AND item.limit_id = $2::uuid AND item.id = $3::uuid
    RETURNING ${columnsOf(LimitExceptionEntity, 'item')}`,
);

/** What a combination has used of a limit in a window. Amounts are decimal text in the measure of the limit. */
export interface UsedCounter {
  readonly values: CombinationValues;
  readonly used: string;
  readonly reserved: string;
  /** The amount of the exception that applies, else of the limit. */
  readonly amount: number;
  readonly lastUsedAt: Date;
  /** When the amount will be met; null for not in this window. */
  readonly metAt: Date | null;
}

/** What is asked of the counters of a limit in one window. */
type UsedCountersValues = [
  organizationId: string,
  limitId: string,
  windowStart: Date,
  includesByok: boolean,
  amount: number,
  windowEnd: Date | null,
];

/** How the counters of a limit are searched and sorted. */
const VIEW_OF_COUNTERS = {
  searched: [valuesIn('c')],
  sorts: {
    used: 'used.used + used.reserved',
    left: 'greatest(0, limited.amount - used.used - used.reserved)',
    last_used_at: 'used.last_used_at',
  },
  last: 'used.combination',
} as const;

/** @param order of the counters @param condition that their rows `c` have to meet besides */
function usedCountersText(order: string, condition = ''): string {
  return `WITH leased AS MATERIALIZED (
      SELECT held.combination, sum(CASE WHEN $4 THEN held."byokAmount" ELSE held.amount END) AS amount
      FROM spend_reservations b CROSS JOIN LATERAL jsonb_to_recordset(coalesce(b.holds, '[]')) AS held ("limitId" uuid, combination text,
        "windowStart" timestamptz, amount numeric, "byokAmount" numeric)
      WHERE b.organization_id = $1 AND ${isBlockIn('b')} AND held."limitId" = $2::uuid AND held."windowStart" = $3::timestamptz GROUP BY 1
    ),
    used AS MATERIALIZED (
      SELECT c.combination, c."values", c.amount + CASE WHEN $4 THEN c.byok_amount ELSE 0 END AS used,
        greatest(0, CASE WHEN $4 THEN c.reserved_with_byok ELSE c.reserved END - coalesce(leased.amount, 0)) AS reserved, c.last_used_at
      FROM limit_counters c LEFT JOIN leased ON leased.combination = c.combination
      WHERE c.organization_id = $1 AND c.limit_id = $2::uuid AND c.window_start = $3::timestamptz${condition}
    )
    SELECT total.total_count, page.* FROM (SELECT count(*) AS total_count FROM used) AS total LEFT JOIN (
      SELECT true AS is_item, used."values", used.used::text AS used, used.reserved::text AS reserved,
        used.last_used_at AS "lastUsedAt", limited.amount, forecast.met_at AS "metAt",
        row_number() OVER (ORDER BY ${order}) AS place
      FROM used LEFT JOIN limit_exceptions e ON e.organization_id = $1 AND e.limit_id = $2::uuid
        AND e.combination = used.combination AND (e.until IS NULL OR e.until > now())
      CROSS JOIN LATERAL (SELECT coalesce(e.amount, $5::double precision) AS amount) AS limited
      CROSS JOIN LATERAL (${windowForecast({
        used: 'used.used',
        limit: shortestDecimal('limited.amount'),
        start: '$3::timestamptz',
        end: '$6::timestamptz',
      })}) AS forecast
      ORDER BY place LIMIT $7::bigint OFFSET $8::bigint
    ) AS page ON true
    ORDER BY page.place`;
}

/** Those first that have used most. */
const MOST_USED = 'used.used + used.reserved DESC, used.combination';

/** A page of what combinations have used of a limit in one window, those first that have used most. What blocks hold is left to others. */
export const USED_COUNTERS: PageStatement<UsedCounter, UsedCountersValues> = {
  ...statement<PageRow<UsedCounter>, PageValues<UsedCountersValues>>(
    'limit_counters_page',
    usedCountersText(MOST_USED),
  ),
  viewed: ({ search, sort }) => {
    const order = sort === undefined ? MOST_USED : sortedBy(VIEW_OF_COUNTERS, sort);
    return search === undefined
      ? singleStatement(`${USED_COUNTERS.name}_sorted`, usedCountersText(order))
      : singleStatement(
          `${USED_COUNTERS.name}_searched`,
          usedCountersText(order, ` AND ${hasText(VIEW_OF_COUNTERS.searched, 9)}`),
        );
  },
  sorts: Object.keys(VIEW_OF_COUNTERS.sorts),
};

/** Gives a limit another version, because an exception of it has changed. */
export const RENEW_LIMIT_VERSION = statement<never, [organizationId: string, id: string]>(
  'limit_renew_version',
  'UPDATE limits SET updated_at = updated_at WHERE organization_id = $1 AND id = $2::uuid',
);

/**
 * An SQL expression for the version of the limits of the organization $1 that may apply in its workspace `w`; null without any. It changes
 * with each of them, and with each exception that is made or deleted.
 */
export const LIMITS_VERSION = `(
        SELECT md5(string_agg(l.id || ' ' || l.xmin, ',' ORDER BY l.created_at, l.id)) FROM limits l
        WHERE l.organization_id = $1 AND (l.workspace_id IS NULL OR l.workspace_id = w.id)
      )`;

/** The limits that may apply in a workspace, oldest first, with the version of all of them. */
export const LIMITS_OF_WORKSPACE = statement<
  LimitEntity & { readonly version: string },
  [organizationId: string, workspaceId: string | null]
>(
  'limits_of_workspace',
  `SELECT ${columnsOf(LimitEntity, 'l')}, ${LIMITS_VERSION} AS version
    FROM limits l CROSS JOIN (SELECT $2::uuid AS id) AS w
    WHERE l.organization_id = $1 AND (l.workspace_id IS NULL OR l.workspace_id = w.id) ORDER BY l.created_at, l.id`,
);

/** The rows of limits. */
@Injectable()
export class LimitsRepository {
  constructor(private readonly statements: Statements) {}

  /** The limits that may apply in a workspace, oldest first. @param workspaceId null where the organization has no default workspace */
  async ofWorkspace(
    organizationId: string,
    workspaceId: string | null,
  ): Promise<readonly (LimitEntity & { readonly version: string })[]> {
    return this.statements.rows(LIMITS_OF_WORKSPACE, [organizationId, workspaceId]);
  }
}
