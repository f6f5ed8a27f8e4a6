import { columnNameOf, columnsOf, tableOf } from './entity-columns.js';
import { type Statement, statement } from './statement.js';

/** The requested part of a list. */
export interface PageRequest {
  /** The number of items to skip. */
  readonly offset: number;
  readonly limit: number;
}

/** One page of a list, and the total number of items in the list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly totalCount: number;
}

/** The parts of a page statement. The parameters of the condition come first, followed by limit and offset. */
export interface PageParts<Item extends object> {
  readonly name: string;
  readonly entity: new () => object;
  /** The condition, with parameters from $1. */
  readonly where: string;
  /** The number of parameters of the condition. */
  readonly parameters: number;
  /** An expression for the number of rows that match the condition, which must not count them. */
  readonly total: string;
  /** Properties that define a total order, so that reading page by page neither skips nor repeats rows. */
  readonly order: readonly (keyof Item & string)[];
  /** Whether the order is descending. */
  readonly descending?: boolean;
  /** The select list of the entity's columns, qualified with `item`; all columns by default. */
  readonly columns?: string;
  /** A SELECT of one row whose columns are added to each item of the page; it refers to the item as `page`. */
  readonly beside?: string;
  /** An expression whose value changes whenever rows are added to the list or removed from it; see {@link listVersion}. */
  readonly version?: string;
}

/** A row of a page statement: an item with the total, or only the total if the page is empty. */
export type PageRow<Row> = {
  readonly total_count: string;
  readonly is_item: boolean;
  /** The version of the list, if the statement has one and the page is far from both ends of the list. */
  readonly list_version?: string | null;
} & Row;

/** The parameters of a page statement: those of the condition, and the requested page. */
export type PageValues<Values extends readonly unknown[]> = [...Values, limit: number, offset: number];

/** The parameters of {@link resumedPageStatement}. */
export type ResumedPageValues<Values extends readonly unknown[]> = [
  ...Values,
  limit: number,
  distance: number,
  version: string,
  ...knownRow: unknown[],
];

/** A row of {@link resumedPageStatement}. */
export type ResumedPageRow<Item> = PageRow<Item> & { readonly is_current: boolean | null };

/** The minimum distance of a page from both ends of its list, in rows, for the statement to return the list's version. */
export const DEEP_ROWS = 1_000;

/**
 * Builds a statement that returns a page and the total in one round trip. The second half of a list is read from its end, so
 * that the last page costs the same as the first.
 */
export function pageStatement<Item extends object, Values extends readonly unknown[]>(
  parts: PageParts<Item>,
): Statement<PageRow<Item>, PageValues<Values>> {
  const { name, parameters, total, version } = parts;
  const limit = `$${parameters + 1}::bigint`;
  const offset = `$${parameters + 2}::bigint`;
  const versionOfDeep =
    version === undefined
      ? ''
      : `, CASE WHEN least(${offset}, total.total_count - ${offset}) >= ${DEEP_ROWS} THEN ${version} END AS list_version`;
  return statement<PageRow<Item>, PageValues<Values>>(
    name,
    pageText(parts, {
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
  );
}

/**
 * Builds a statement that reads a page from a row whose offset is known, rather than from an end of the list. Its parameters
 * are those of the condition, the limit, the distance of the page from the known row (negative for a page before that row),
 * the version of the list for which the offset is known, and the sort key of the row. It reads rows only if the list still
 * has that version, which `is_current` says; version and rows are from the same snapshot.
 */
export function resumedPageStatement<Item extends object, Values extends readonly unknown[]>(
  parts: PageParts<Item> & { readonly version: string },
): Statement<ResumedPageRow<Item>, ResumedPageValues<Values>> {
  const { name, entity, parameters, total, order, descending = false, version } = parts;
  const [limit, distance] = [`$${parameters + 1}::bigint`, `$${parameters + 2}::bigint`];
  const knownVersion = `$${parameters + 3}::text`;
  const columns = order.map((property) => columnNameOf(entity, property)).join(', ');
  const knownRow = order.map((_, index) => `$${parameters + 4 + index}`).join(', ');
  return statement(
    name,
    pageText(parts, {
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
  );
}

/** One of the two directions in which to read a page: the rows it may read, and which of them form the page. */
interface Reading {
  readonly condition: string;
  readonly window: string;
}

/** The parts in which page statements differ. Only one of the two readings returns rows. */
interface Readings {
  readonly total: string;
  readonly select: string;
  /** Reads in the order of the list. */
  readonly fromStart: Reading;
  /** Reads in the opposite order. */
  readonly fromEnd: Reading;
}

function pageText<Item extends object>(parts: PageParts<Item>, readings: Readings): string {
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

/**
 * The total of a list whose rows are counted by triggers. The first parameter of the statement is the organization.
 *
 * @param scope the list's scope, as in the triggers
 */
export function countedTotal(entity: new () => object, scope: string): string {
  return `(SELECT coalesce(sum(row_count), 0)::bigint FROM list_counts WHERE ${countsOf(entity, scope)})`;
}

/**
 * The version of a list whose rows are counted by triggers: the transactions that last wrote each slot of its count. Every
 * transaction that adds or deletes rows also writes a slot, so two snapshots with the same version have the same rows.
 *
 * PostgreSQL reuses transaction numbers after four billion transactions, so versions can only be compared within a limited
 * time.
 *
 * @param scope the list's scope, as in the triggers
 */
export function listVersion(entity: new () => object, scope: string): string {
  const writers = "string_agg(scope || ' ' || slot || ' ' || xmin, ',' ORDER BY slot)";
  return `(SELECT encode(sha256(convert_to(${writers}, 'UTF8')), 'hex')
    FROM list_counts WHERE ${countsOf(entity, scope)})`;
}

function countsOf(entity: new () => object, scope: string): string {
  return `organization_id = $1 AND list = '${tableOf(entity)}' AND scope = ${scope}`;
}

/** Converts the rows of a page statement to a page. */
export function toPage<Row>(rows: readonly PageRow<Row>[]): Page<Row> {
  return {
    // An empty page is one row with only the total.
    items: rows.filter((row) => row.is_item),
    totalCount: Number(rows[0]?.total_count ?? 0),
  };
}
