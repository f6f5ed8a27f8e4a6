import { columnNameOf, columnsOf, tableOf } from './entity-columns.js';
import { type Statement, statement } from './statement.js';

/** The requested part of a list. */
export interface PageRequest {
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
}

/** The parts of a page whose list is counted by triggers. */
export type CountedPageParts<Item extends object> = Omit<PageParts<Item>, 'total'> & {
  /** The list's scope, as in the triggers that count it. */
  readonly scope: string;
};

/** A row of a page statement: an item with the total, or only the total if the page is empty. */
export type PageRow<Row> = {
  readonly total_count: string;
  readonly is_item: boolean;
} & Row;

/** The parameters of a page statement: those of the condition, and the requested page. */
export type PageValues<Values extends readonly unknown[]> = [...Values, limit: number, offset: number];

/** The statement of a page. */
export type PageStatement<Item extends object, Values extends readonly unknown[]> = Statement<
  PageRow<Item>,
  PageValues<Values>
>;

/** Builds a statement that returns a page and the total in one round trip, as of one moment. */
export function pageStatement<Item extends object, Values extends readonly unknown[]>(
  parts: PageParts<Item>,
): PageStatement<Item, Values> {
  const { name, entity, where, parameters, total, order, descending = false, columns, beside } = parts;
  const sorted = order.map((property) => `${columnNameOf(entity, property)}${descending ? ' DESC' : ''}`);
  return statement(
    name,
    `SELECT total.total_count, page.*${beside === undefined ? '' : ', beside.*'}
    FROM (SELECT ${total} AS total_count) AS total LEFT JOIN (
      SELECT true AS is_item, ${columns ?? columnsOf(entity, 'item')} FROM ${tableOf(entity)} AS item
      WHERE ${where} ORDER BY ${sorted.join(', ')} LIMIT $${parameters + 1}::bigint OFFSET $${parameters + 2}::bigint
    ) AS page ON true ${beside === undefined ? '' : `LEFT JOIN LATERAL (${beside} LIMIT 1) AS beside ON true`}`,
  );
}

/** Builds the statement of the pages of a list that is counted by triggers. */
export function countedPage<Item extends object, Values extends readonly unknown[]>({
  scope,
  ...list
}: CountedPageParts<Item>): PageStatement<Item, Values> {
  return pageStatement({ ...list, total: countedTotal(list.entity, scope) });
}

/** Builds the statement of the pages of all rows that an organization has in a table, oldest first. */
export function pageOfOrganization<Item extends { readonly createdAt: Date; readonly id: string }>(
  list: Pick<CountedPageParts<Item>, 'name' | 'entity' | 'columns' | 'beside'>,
): PageStatement<Item, [organizationId: string]> {
  return countedPage({
    ...list,
    where: 'organization_id = $1',
    parameters: 1,
    scope: '$1',
    order: ['createdAt', 'id'],
  });
}

/**
 * The total of a list whose rows are counted by triggers. The first parameter of the statement is the organization.
 *
 * @param scope the list's scope, as in the triggers
 */
export function countedTotal(entity: new () => object, scope: string): string {
  return `(SELECT coalesce(sum(row_count), 0)::bigint FROM list_counts
    WHERE organization_id = $1 AND list = '${tableOf(entity)}' AND scope = ${scope})`;
}

/** Converts the rows of a page statement to a page. */
export function toPage<Row>(rows: readonly PageRow<Row>[]): Page<Row> {
  return {
    // An empty page is one row with only the total.
    items: rows.filter((row) => row.is_item),
    totalCount: Number(rows[0]?.total_count ?? 0),
  };
}
