import { columnNameOf, columnsOf, tableOf } from './entity-columns.js';
import { singleStatement, type Statement, statement } from './statement.js';

/** The requested part of a list. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  /** Only items with this text in one of the texts that the list is searched by. */
  readonly search?: string | undefined;
  /** One of the names by which the list can be sorted, with `-` before it for the other way around; its own order if absent. */
  readonly sort?: string | undefined;
}

/** How a list can be searched and sorted. */
export interface ListView {
  /** Expressions of the texts that are searched, over `item`. */
  readonly searched: readonly string[];
  /** Expressions that items are sorted by, over `item`, by the names that requests have for them. */
  readonly sorts: Readonly<Record<string, string>>;
  /** What tells items apart that are alike in what they are sorted by, over `item`; their ids if absent. */
  readonly last?: string;
}

/** The view of a list of things with names. */
export const VIEW_BY_NAME: ListView = {
  searched: ['item.name'],
  sorts: { name: 'lower(item.name)', created_at: 'item.created_at' },
};

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
  /** How the list can be searched and sorted, if it can. */
  readonly view?: ListView;
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
export interface PageStatement<Item extends object, Values extends readonly unknown[]> extends Statement<
  PageRow<Item>,
  PageValues<Values>
> {
  /** Builds the statement of a page as a request asks for it, where the list has a view. @throws where it is sorted by no name of the view */
  viewed?(request: Pick<PageRequest, 'search' | 'sort'>): Statement<PageRow<Item>, ViewedPageValues<Values>>;
  /** The names by which it can be sorted, where the list has a view. */
  readonly sorts?: readonly string[];
}

/** Builds a statement that returns a page and the total in one round trip, as of one moment. */
export function pageStatement<Item extends object, Values extends readonly unknown[]>(
  parts: PageParts<Item>,
): PageStatement<Item, Values> {
  const { name, entity, order, descending = false, view } = parts;
  const sorted = order.map((property) => `item.${columnNameOf(entity, property)}${descending ? ' DESC' : ''}`);
  const page = statement<PageRow<Item>, PageValues<Values>>(name, pageText(parts, sorted.join(', ')));
  return view === undefined
    ? page
    : {
        ...page,
        viewed: (request) => viewedPage(parts, sorted.join(', '), view, request),
        sorts: Object.keys(view.sorts),
      };
}

function pageText<Item extends object>(parts: PageParts<Item>, order: string): string {
  const { entity, where, parameters, total, columns, beside } = parts;
  return `SELECT total.total_count, page.*${beside === undefined ? '' : ', beside.*'}
    FROM (SELECT ${total} AS total_count) AS total LEFT JOIN (
      SELECT true AS is_item, ${columns ?? columnsOf(entity, 'item')} FROM ${tableOf(entity)} AS item
      WHERE ${where} ORDER BY ${order} LIMIT $${parameters + 1}::bigint OFFSET $${parameters + 2}::bigint
    ) AS page ON true ${beside === undefined ? '' : `LEFT JOIN LATERAL (${beside} LIMIT 1) AS beside ON true`}`;
}

/** The parameters of a page as a request asks for it: those of the page, and the text where one is searched. */
export type ViewedPageValues<Values extends readonly unknown[]> = [...PageValues<Values>, ...search: string[]];

/**
 * Builds the statement of a page in another order than the list's own, or of the items alone that have a text. A search reads all of the list,
 * and so does an order for which there is no index; both are bounded by the quota of the list.
 */
function viewedPage<Item extends object, Values extends readonly unknown[]>(
  parts: PageParts<Item>,
  ownOrder: string,
  view: ListView,
  { search, sort }: Pick<PageRequest, 'search' | 'sort'>,
): Statement<PageRow<Item>, ViewedPageValues<Values>> {
  const { name, entity } = parts;
  const sorted = sort === undefined ? ownOrder : sortedBy(view, sort);
  if (search === undefined) return singleStatement(`${name}_sorted`, pageText(parts, sorted));
  const where = `${parts.where} AND ${hasText(view.searched, parts.parameters + 3)}`;
  const total = `(SELECT count(*) FROM ${tableOf(entity)} AS item WHERE ${where})`;
  return singleStatement(`${name}_searched`, pageText({ ...parts, where, total }, sorted));
}

/** A condition that one of some expressions has the text of a parameter in it, in any case. */
export function hasText(expressions: readonly string[], parameter: number): string {
  return `(${expressions.map((text) => `position(lower($${parameter}::text) IN lower(${text})) > 0`).join(' OR ')})`;
}

/**
 * The order by one of some expressions.
 *
 * @param view its expressions are those over `item`, by the names that requests have for them
 * @param sort a name, with `-` before it for the other way around
 */
export function sortedBy({ sorts, last = 'item.id' }: Omit<ListView, 'searched'>, sort: string): string {
  const isDescending = sort.startsWith('-');
  const expression = sorts[isDescending ? sort.slice(1) : sort];
  if (expression === undefined) throw new Error(`No list is sorted by ${sort}.`);
  const direction = isDescending ? ' DESC' : '';
  return `${expression}${direction}, ${last}${direction}`;
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
  list: Pick<CountedPageParts<Item>, 'name' | 'entity' | 'columns' | 'beside' | 'view'>,
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
