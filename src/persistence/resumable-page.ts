import {
  countedTotal,
  listVersion,
  type PageParts,
  type PageRow,
  pageStatement,
  type PageValues,
  type ResumedPageRow,
  resumedPageStatement,
  type ResumedPageValues,
} from './page-statement.js';
import type { Statement } from './statement.js';

/** The parts of a resumable page: a list that is counted by triggers, ordered by columns that never change. */
export type ResumablePageParts<Item extends object> = Omit<PageParts<Item>, 'total' | 'version'> & {
  /** The list's scope, as in the triggers that count it. */
  readonly scope: string;
};

/** The statement of a page, with the variants that long lists need. */
export interface ResumablePage<
  Item extends object = object,
  Values extends readonly unknown[] = readonly unknown[],
> extends Statement<PageRow<Item>, PageValues<Values>> {
  /** The page, with the version of the list if the page is far from both ends. */
  readonly versioned: Statement<PageRow<Item>, PageValues<Values>>;
  /** The page, read from a row whose offset is known. */
  readonly resumed: Statement<ResumedPageRow<Item>, ResumedPageValues<Values>>;
  /** The properties that the list is ordered by. */
  readonly order: readonly string[];
}

/** Builds the statements of a list's pages; {@link PageReader} chooses between them. */
export function resumablePage<Item extends object, Values extends readonly unknown[]>({
  scope,
  ...list
}: ResumablePageParts<Item>): ResumablePage<Item, Values> {
  const { entity, order } = list;
  const parts = { ...list, total: countedTotal(entity, scope) };
  const version = listVersion(entity, scope);
  return {
    ...pageStatement<Item, Values>(parts),
    versioned: pageStatement({ ...parts, name: `${list.name}_versioned`, version }),
    resumed: resumedPageStatement({ ...parts, name: `${list.name}_resumed`, version }),
    order,
  };
}

/** Builds the statements of the pages of all rows that an organization has in a table, oldest first. */
export function pageOfOrganization<Item extends { readonly createdAt: Date; readonly id: string }>(
  list: Pick<ResumablePageParts<Item>, 'name' | 'entity' | 'columns' | 'beside'>,
): ResumablePage<Item, [organizationId: string]> {
  return resumablePage({
    ...list,
    where: 'organization_id = $1',
    parameters: 1,
    scope: '$1',
    order: ['createdAt', 'id'],
  });
}
