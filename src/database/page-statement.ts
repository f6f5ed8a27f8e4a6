import type { Page } from '../http/pagination/page.js';
import { columnNameOf, columnsOf, tableOf } from './entity-columns.js';
import type { Statement } from './statements.js';

/** What a page is made of. The condition's own parameters come first, limit and offset behind them. */
export interface PageParts<Row extends object> {
  readonly name: string;
  readonly entity: new () => Row;
  /** The condition, with parameters from $1. */
  readonly where: string;
  /** How many parameters the condition has. */
  readonly parameters: number;
  /** An expression for how many rows fulfil the condition, which must not have to count them. */
  readonly total: string;
  /** Properties that make a total order, so that a walk by offset skips nothing and repeats nothing. */
  readonly order: readonly (keyof Row & string)[];
  /** Whether what is largest in that order comes first. */
  readonly descending?: boolean;
  /** The select list of the entity's columns, as those of `item`; all of them as they are when left out. */
  readonly columns?: string;
  /** A SELECT of one row that each item on the page gets beside its own columns; it knows the item as `page`. */
  readonly beside?: string;
  /** An expression that has another value whenever rows came into the list or left it; see {@link listVersion}. */
  readonly version?: string;
}

/** A row of a page statement: an item beside the total, or the total alone where the page is empty. */
export type PageRow<Row> = {
  readonly total_count: string;
  readonly is_item: boolean;
  /** The version of the list, where the statement has one and the page is deep inside of the list. */
  readonly list_version?: string | null;
} & Row;

/** How many rows a page must be away from both ends of its list for the statement to give the list's version with it. */
export const DEEP_ROWS = 1_000;

/**
 * One statement that answers a page and the total in a single round trip. The second half of a list is read from its end,
 * so that the last page costs what the first one does.
 */
export function pageStatement<Row extends object>(parts: PageParts<Row>): Statement {
  const { name, parameters, total, version } = parts;
  const limit = `$${parameters + 1}::bigint`;
  const offset = `$${parameters + 2}::bigint`;
  const versionOfDeep =
    version === undefined
      ? ''
      : `, CASE WHEN least(${offset}, total.total_count - ${offset}) >= ${DEEP_ROWS} THEN ${version} END AS list_version`;
  return {
    name,
    text: pageText(parts, {
      total: `${total} AS total_count`,
      select: `total.total_count${versionOfDeep}`,
      fromStart: {
        condition: `(SELECT ${offset} <= total_count / 2 FROM total)`,
        window: `LIMIT ${limit} OFFSET ${offset}`,
      },
      fromEnd: {
        condition: `(SELECT ${offset} > total_count / 2 FROM total)`,
        window: `LIMIT (SELECT greatest(least(${limit}, total_count - ${offset}), 0) FROM total)
          OFFSET (SELECT greatest(total_count - ${offset} - ${limit}, 0) FROM total)`,
      },
    }),
  };
}

/**
 * The statement that answers a page from a row of the list whose offset is known, rather than from one of the list's ends.
 * Its parameters are those of the condition, the limit, how many rows the page begins behind the known row (negative for a
 * page that ends before that row), the version of the list under which the row had its offset, and the values that the row
 * is ordered by. It reads rows only if the list has that version still, which `is_current` says; version and rows are of
 * one snapshot.
 */
export function resumedPageStatement<Row extends object>(
  parts: PageParts<Row> & { readonly version: string },
): Statement {
  const { name, entity, parameters, total, order, descending = false, version } = parts;
  const [limit, distance] = [`$${parameters + 1}::bigint`, `$${parameters + 2}::bigint`];
  const knownVersion = `$${parameters + 3}::text`;
  const columns = order.map((property) => columnNameOf(entity, property)).join(', ');
  const knownRow = order.map((_, index) => `$${parameters + 4 + index}`).join(', ');
  return {
    name,
    text: pageText(parts, {
      total: `${total} AS total_count, ${version} = ${knownVersion} AS is_current`,
      select: 'total.total_count, total.is_current',
      fromStart: {
        condition: `(${columns}) ${descending ? '<=' : '>='} (${knownRow})
          AND (SELECT is_current AND ${distance} >= 0 FROM total)`,
        window: `LIMIT ${limit} OFFSET greatest(${distance}, 0)`,
      },
      fromEnd: {
        condition: `(${columns}) ${descending ? '>' : '<'} (${knownRow})
          AND (SELECT is_current AND ${distance} < 0 FROM total)`,
        window: `LIMIT ${limit} OFFSET greatest(-${distance} - ${limit}, 0)`,
      },
    }),
  };
}

/** One of the two ways to read a page: which rows it may read, and which of these are the page. */
interface Reading {
  readonly condition: string;
  readonly window: string;
}

/** What differs between the statements of a page. Only one of the two readings has rows. */
interface Readings {
  readonly total: string;
  readonly select: string;
  /** Reads in the order of the list. */
  readonly fromStart: Reading;
  /** Reads in the opposite order. */
  readonly fromEnd: Reading;
}

function pageText<Row extends object>(parts: PageParts<Row>, readings: Readings): string {
  const { entity, where, order, descending = false, columns: selected, beside } = parts;
  const columns = order.map((property) => columnNameOf(entity, property));
  const inOrder = (names: readonly string[], backwards: boolean): string =>
    names.map((column) => (backwards === descending ? column : `${column} DESC`)).join(', ');
  const rows = ({ condition, window }: Reading, backwards: boolean): string =>
    `SELECT true AS is_item, ${selected ?? columnsOf(entity, 'item')} FROM ${tableOf(entity)} AS item
     WHERE ${where} AND ${condition}
     ORDER BY ${inOrder(columns, backwards)} ${window}`;
  return `
    WITH total AS MATERIALIZED (SELECT ${readings.total})
    SELECT ${readings.select}, page.*${beside === undefined ? '' : ', beside.*'} FROM total LEFT JOIN (
      (${rows(readings.fromStart, false)})
      UNION ALL
      (SELECT * FROM (${rows(readings.fromEnd, true)}) AS tail ORDER BY ${inOrder(
        order.map((property) => `"${property}"`),
        false,
      )})
    ) AS page ON true ${beside === undefined ? '' : `LEFT JOIN LATERAL (${beside} LIMIT 1) AS beside ON true`}`;
}

/** The total of a list whose rows triggers count. @param scope the list's scope, as the triggers have it */
export function countedTotal(entity: new () => object, scope: string): string {
  return `(SELECT coalesce(sum(row_count), 0)::bigint FROM list_counts WHERE list = '${tableOf(entity)}' AND scope = ${scope})`;
}

/**
 * The version of a list whose rows triggers count: which transaction wrote each of its counts. Every transaction that adds
 * rows to the list or deletes some writes a count along with them, so two snapshots with the same version have the same rows.
 *
 * PostgreSQL uses the number of a transaction again after four billion others, so versions can only be compared within a
 * limited time.
 *
 * @param scope the list's scope, as the triggers have it
 */
export function listVersion(entity: new () => object, scope: string): string {
  const writers = "string_agg(scope || ' ' || slot || ' ' || xmin, ',' ORDER BY slot)";
  return `(SELECT encode(sha256(convert_to(${writers}, 'UTF8')), 'hex')
    FROM list_counts WHERE list = '${tableOf(entity)}' AND scope = ${scope})`;
}

/** The page that the rows of a page statement hold. */
export function toPage<Row>(rows: readonly PageRow<Row>[]): Page<Row> {
  return {
    // An empty page is one row that holds nothing but the total.
    items: rows.filter((row) => row.is_item),
    totalCount: Number(rows[0]?.total_count ?? 0),
  };
}
