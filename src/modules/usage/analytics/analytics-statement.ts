import { singleStatement, type Statement } from '../../../persistence/statement.js';
import type { TotalScope } from '../entities/usage-total.entity.js';
import { type TotalsSpan, usageRows } from '../totals/usage-rows.js';
import type { TotalsRange } from './analytics-range.js';
import { DATE } from './analytics-rules.js';
import {
  DIMENSIONS,
  dimensionOf,
  type DimensionName,
  type Granularity,
  isAboutFilters,
  isAboutRecords,
  METRIC_OPERATORS,
  metricOf,
  type MetricName,
  type OperatorName,
} from './analytics-vocabulary.js';
import { filteredRows } from './filtered-rows.js';
import { recordedRows } from './recorded-rows.js';

/** A condition on a dimension or a metric. */
export interface AnalyticsCondition {
  readonly field: string;
  readonly operator: OperatorName;
  readonly value: string | number | readonly (string | number)[];
  readonly include_unset?: boolean;
}

/** A query with known names only. */
export interface AnalyticsSearch {
  readonly metrics: readonly MetricName[];
  readonly dimensions: readonly DimensionName[];
  readonly conditions: readonly AnalyticsCondition[];
  readonly granularity: Granularity | undefined;
  readonly range: TotalsRange;
  readonly order: { readonly field: string; readonly direction: 'asc' | 'desc' };
  readonly groupLimit: number | undefined;
  /** Of rows. */
  readonly maximum: number;
}

/** A row by column: sums are decimal texts. */
export type AnalyticsRow = Readonly<Record<string, string | null>>;

/** A query as PostgreSQL takes it. */
export interface AnalyticsStatement {
  readonly statement: Statement<AnalyticsRow>;
  readonly values: readonly unknown[];
}

const NAME = 'analytics_query';

/** How the beginnings of steps are written: days as dates. */
const FORMATS: Readonly<Record<Granularity, string>> = {
  minute: 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"',
  hour: 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"',
  day: 'YYYY-MM-DD',
  week: 'YYYY-MM-DD',
  month: 'YYYY-MM-DD',
};

/** The name of what a dimension names, where it still is: its field, and how it is found by the value in `found`. */
const NAMES: Partial<Record<DimensionName, { readonly field: string; readonly name: string; readonly join: string }>> =
  {
    model: { field: 'model_name', name: 'm.name', join: 'models m ON m.id = found.model' },
    provider: {
      field: 'provider_name',
      name: 'coalesce(own.name, p.name)',
      join: `private_providers own ON own.organization_id = $1 AND own.slug = found.provider
        LEFT JOIN providers p ON p.slug = found.provider`,
    },
    workspace: {
      field: 'workspace_name',
      name: 'w.name',
      join: `workspaces w ON w.organization_id = $1 AND w.id = nullif(found.workspace, '')::uuid`,
    },
    api_key_id: {
      field: 'api_key_name',
      name: 'k.name',
      join: 'api_keys k ON k.organization_id = $1 AND k.id = found.api_key_id::uuid',
    },
    user: { field: 'user_name', name: 'u.name', join: 'users u ON u.id = found."user"' },
    inspector: {
      field: 'inspector_name',
      name: 'i.name',
      join: `inspectors i ON i.organization_id = $1 AND i.id = nullif(found.inspector, '')::uuid`,
    },
  };

/** SHA-256 in hexadecimal. */
const HASH = /^[0-9a-f]{64}$/;

/**
 * The statement of a query. It is planned each time, because there are very many. Names come from the vocabulary; what the caller has
 * written is in the values alone.
 */
export function analyticsStatement(organizationId: string, search: AnalyticsSearch): AnalyticsStatement {
  const values: unknown[] = [organizationId];
  const parameter = (value: unknown): string => `$${values.push(value)}`;
  const { metrics, dimensions, granularity, range } = search;
  const start = `${parameter(range.from)}::timestamptz`;
  const step = granularity === undefined ? [] : [`${stepOf(granularity)} AS "${DATE}"`];
  const groups = [...step, ...dimensions.map((name) => `${dimensionOf(name).sql} AS "${name}"`)];
  const conditions = search.conditions.filter(isOfDimension).map((condition) => ofDimension(condition, parameter));
  const condition = ['true', ...conditions].join(' AND ');
  const rows = rowsOf(search, { start, condition, parameter });
  const having = search.conditions
    .filter((condition) => !isOfDimension(condition))
    .map((each) => ofMetric(each, parameter));
  const sums = metrics.map((name) => `${metricOf(name).sql} AS "${name}"`);
  const grouped = `SELECT ${[...groups, ...sums].join(', ')} FROM (${rows}) AS t
        ${groups.length === 0 ? '' : `GROUP BY ${groups.map((_, index) => index + 1).join(', ')}`}
        HAVING ${['count(*) > 0', ...having].join(' AND ')}`;
  const order = orderOf(search);
  const limit = parameter(search.maximum);
  const text = `SELECT ${shownOf(search).join(', ')} FROM (
      SELECT * FROM (
        SELECT found.*, ${placeOf(search, order)} AS place FROM (${grouped}) AS found
      ) AS found WHERE place <= ${parameter(search.groupLimit ?? search.maximum)}
      ORDER BY ${order} LIMIT ${limit}
    ) AS found ${joinsOf(search).join(' ')} ORDER BY ${order}`;
  return { statement: singleStatement<AnalyticsRow, readonly unknown[]>(NAME, text), values };
}

interface StatementParts {
  /** An SQL expression. */
  readonly start: string;
  /** An SQL condition on rows `t`. */
  readonly condition: string;
  readonly parameter: (value: unknown) => string;
}

/** A SELECT of what is counted: of totals where they tell apart what is asked for, else of records. */
function rowsOf(search: AnalyticsSearch, { start, condition, parameter }: StatementParts): string {
  const { metrics, dimensions, conditions, range } = search;
  const names = [...metrics, ...dimensions, ...conditions.map(({ field }) => field)];
  const end = (): string => `${parameter(range.until)}::timestamptz`;
  if (isAboutFilters(names)) return filteredRows(start, end(), condition);
  if (isAboutRecords(names)) return recordedRows(start, end(), condition, new Set(names));
  return usageRows(scopeOf(search), spansOf(range, start, parameter), condition);
}

/**
 * Totals of keys are read only where keys are told apart, for there are many more of them: those over all models where models are not told
 * apart, unless there is an index for the keys or members that are asked for. Minutes are kept of keys alone.
 */
function scopeOf({ metrics, dimensions, conditions, range }: AnalyticsSearch): TotalScope {
  if (range.period === 'minute') return 'key';
  const filters = conditions.filter(isOfDimension);
  const options = [...dimensions, ...filters.map(({ field }) => field)].map((name) => dimensionOf(name));
  if (!options.some(({ isOfKeys }) => isOfKeys)) return 'workspace';
  const isFew = filters.some(
    ({ field, operator }) => dimensionOf(field).isOfKeys && (operator === 'eq' || operator === 'in'),
  );
  const measured = [...metrics, ...conditions.filter((each) => !isOfDimension(each)).map(({ field }) => field)];
  const byProvider = measured.some((name) => metricOf(name as MetricName).isOfProviders);
  return isFew || byProvider || options.some(({ isOfSpenders }) => !isOfSpenders) ? 'key' : 'spender';
}

/** The parts of a range. A time that a part ends with is the one that the next begins with. */
function spansOf({ parts }: TotalsRange, start: string, parameter: (value: unknown) => string): TotalsSpan[] {
  const ends = parts.map(({ until }) => `${parameter(until)}::timestamptz`);
  return parts.map(({ period }, index) => ({
    period,
    from: index === 0 ? start : ends[index - 1]!,
    until: ends[index]!,
  }));
}

function stepOf(granularity: Granularity): string {
  return `to_char(date_trunc('${granularity}', t.starts_at, 'UTC') AT TIME ZONE 'UTC', '${FORMATS[granularity]}')`;
}

/** The place of a row among those with the same dimensions. */
function placeOf({ dimensions, groupLimit }: AnalyticsSearch, order: string): string {
  if (groupLimit === undefined || dimensions.length === 0) return '1';
  const group = dimensions.map((name) => `found."${name}"`).join(', ');
  return `row_number() OVER (PARTITION BY ${group} ORDER BY ${order})`;
}

/** The order that was asked for, then one that leaves nothing open. */
function orderOf({ order, dimensions, granularity }: AnalyticsSearch): string {
  const further = [...(granularity === undefined ? [] : [DATE]), ...dimensions].filter((name) => name !== order.field);
  return [
    `found."${order.field}" ${order.direction === 'asc' ? 'ASC' : 'DESC'} NULLS LAST`,
    ...further.map((name) => `found."${name}" ${name === DATE ? 'DESC' : 'ASC'}`),
  ].join(', ');
}

function shownOf({ metrics, dimensions, granularity }: AnalyticsSearch): string[] {
  return [
    ...(granularity === undefined ? [] : [`found."${DATE}" AS "date__${granularity}"`]),
    ...dimensions.flatMap((name) => {
      const named = NAMES[name];
      const value =
        name === 'api_key_id' ? `coalesce(encode(k.hash, 'hex'), found.api_key_id)` : `nullif(found."${name}", '')`;
      return [`${value} AS "${name}"`, ...(named === undefined ? [] : [`${named.name} AS "${named.field}"`])];
    }),
    ...metrics.map((name) => `found."${name}"`),
  ];
}

function joinsOf({ dimensions }: AnalyticsSearch): string[] {
  return dimensions.flatMap((name) => {
    const named = NAMES[name];
    return named === undefined ? [] : [`LEFT JOIN ${named.join}`];
  });
}

function isOfDimension(condition: AnalyticsCondition): condition is AnalyticsCondition & { field: DimensionName } {
  return Object.hasOwn(DIMENSIONS, condition.field);
}

function ofDimension(
  { field, operator, value, include_unset: includesUnset }: AnalyticsCondition & { field: DimensionName },
  parameter: (value: unknown) => string,
): string {
  const { sql, canBeUnset } = dimensionOf(field);
  const texts = (Array.isArray(value) ? value : [value]) as readonly string[];
  const list = listOf(field, texts, parameter);
  const isExclusion = operator === 'neq' || operator === 'not_in';
  if (isExclusion) {
    const excluded = `${sql} <> ALL (${list})`;
    return canBeUnset && includesUnset !== true ? `${excluded} AND ${sql} <> ''` : excluded;
  }
  const included = `${sql} = ANY (${list})`;
  return includesUnset === true ? `(${included} OR ${sql} = '')` : included;
}

/** What is named by ids in hexadecimal, whose case does not matter. */
const BY_ID: readonly DimensionName[] = ['api_key_id', 'workspace', 'inspector'];

/** The values of the column, from what a caller writes: keys by their hashes, which may change, or by their ids. */
function listOf(field: DimensionName, texts: readonly string[], parameter: (value: unknown) => string): string {
  const ids = BY_ID.includes(field) ? texts.map((text) => text.toLowerCase()) : texts;
  if (field !== 'api_key_id') return `${parameter(ids)}::text[]`;
  const hashes = ids.filter((text) => HASH.test(text)).map((text) => Buffer.from(text, 'hex'));
  const others = ids.filter((text) => !HASH.test(text));
  return `ARRAY(SELECT k.id::text FROM api_keys k
          WHERE k.organization_id = $1 AND k.hash = ANY (${parameter(hashes)}::bytea[])) || ${parameter(others)}::text[]`;
}

function ofMetric({ field, operator, value }: AnalyticsCondition, parameter: (value: unknown) => string): string {
  const { sql } = metricOf(field as MetricName);
  return `${sql} ${METRIC_OPERATORS[operator as keyof typeof METRIC_OPERATORS]} ${parameter(value)}::numeric`;
}
