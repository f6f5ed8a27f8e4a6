import type { Page } from '../http/pagination/page.js';
import type { Statement } from './statements.js';

/** What a page is made of. The parameters before the last two are the conditions' own. */
export interface PageParts {
  readonly name: string;
  /** The columns of an item. */
  readonly columns: string;
  /** The table, with its joins. */
  readonly from: string;
  /** The condition, with parameters from $1. */
  readonly where: string;
  /** A total order, so that a walk by offset skips nothing and repeats nothing. */
  readonly order: string;
  /** How many parameters the condition has; limit and offset follow them. */
  readonly parameters: number;
}

/** A row of a page statement: an item beside the total, or the total alone where the page is empty. */
export type PageRow<Row> = { readonly total_count: string; readonly is_item: boolean } & Row;

/** One statement that answers a page and the total in a single round trip. */
export function pageStatement(parts: PageParts): Statement {
  const { name, columns, from, where, order, parameters } = parts;
  return {
    name,
    text: `
      SELECT total.total_count, page.*
      FROM (SELECT count(*) AS total_count FROM ${from} WHERE ${where}) AS total
      LEFT JOIN LATERAL (
        SELECT true AS is_item, ${columns} FROM ${from} WHERE ${where}
        ORDER BY ${order} LIMIT $${parameters + 1} OFFSET $${parameters + 2}
      ) AS page ON true`,
  };
}

/** The page that the rows of a page statement hold. */
export function toPage<Row>(rows: readonly PageRow<Row>[]): Page<Row> {
  return {
    // An empty page is one row that holds nothing but the total.
    items: rows.filter((row) => row.is_item),
    totalCount: Number(rows[0]?.total_count ?? 0),
  };
}
