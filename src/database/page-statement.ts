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
}

/** A row of a page statement: an item beside the total, or the total alone where the page is empty. */
export type PageRow<Row> = { readonly total_count: string; readonly is_item: boolean } & Row;

/**
 * One statement that answers a page and the total in a single round trip. The second half of a list is read from its end,
 * so that the last page costs what the first one does.
 */
export function pageStatement<Row extends object>(parts: PageParts<Row>): Statement {
  const { name, entity, where, parameters, total, order, descending = false, columns: selected, beside } = parts;
  const limit = `$${parameters + 1}::bigint`;
  const offset = `$${parameters + 2}::bigint`;
  const columns = order.map((property) => columnNameOf(entity, property));
  const inOrder = (names: readonly string[], backwards: boolean): string =>
    names.map((column) => (backwards === descending ? column : `${column} DESC`)).join(', ');
  const half = (condition: string): string =>
    `SELECT true AS is_item, ${selected ?? columnsOf(entity, 'item')} FROM ${tableOf(entity)} AS item
     WHERE ${where} AND (SELECT ${condition} FROM total)`;
  return {
    name,
    text: `
      WITH total AS MATERIALIZED (SELECT ${total} AS total_count)
      SELECT total.total_count, page.*${beside === undefined ? '' : ', beside.*'} FROM total LEFT JOIN (
        (${half(`${offset} <= total_count / 2`)}
         ORDER BY ${inOrder(columns, false)} LIMIT ${limit} OFFSET ${offset})
        UNION ALL
        (SELECT * FROM (
          ${half(`${offset} > total_count / 2`)}
          ORDER BY ${inOrder(columns, true)}
          LIMIT (SELECT greatest(least(${limit}, total_count - ${offset}), 0) FROM total)
          OFFSET (SELECT greatest(total_count - ${offset} - ${limit}, 0) FROM total)
        ) AS tail ORDER BY ${inOrder(
          order.map((property) => `"${property}"`),
          false,
        )})
      ) AS page ON true ${beside === undefined ? '' : `LEFT JOIN LATERAL (${beside} LIMIT 1) AS beside ON true`}`,
  };
}

/** The total of a list whose rows triggers count. @param scope the list's scope, as the triggers have it */
export function countedTotal(entity: new () => object, scope: string): string {
  return `(SELECT coalesce(sum(row_count), 0)::bigint FROM list_counts WHERE list = '${tableOf(entity)}' AND scope = ${scope})`;
}

/** The page that the rows of a page statement hold. */
export function toPage<Row>(rows: readonly PageRow<Row>[]): Page<Row> {
  return {
    // An empty page is one row that holds nothing but the total.
    items: rows.filter((row) => row.is_item),
    totalCount: Number(rows[0]?.total_count ?? 0),
  };
}
