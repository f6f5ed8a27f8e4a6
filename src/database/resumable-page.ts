import { countedTotal, listVersion, type PageParts, pageStatement, resumedPageStatement } from './page-statement.js';
import type { Statement } from './statements.js';

/** What a resumable page is made of: a list that triggers count, in an order of columns that are never changed. */
export type ResumablePageParts<Row extends object> = Omit<PageParts<Row>, 'total' | 'version'> & {
  /** The list's scope, as the triggers that count it have it. */
  readonly scope: string;
};

/** The statement of a page, beside those that long lists need. */
export interface ResumablePage extends Statement {
  /** The same page, with the version of the list where the page is far from both ends. */
  readonly versioned: Statement;
  /** The same page, read from a row whose offset is known. */
  readonly resumed: Statement;
  /** The properties that the list is ordered by. */
  readonly order: readonly string[];
}

/** The statements of a list's pages; {@link PageReader} chooses between them. */
export function resumablePage<Row extends object>({ scope, ...list }: ResumablePageParts<Row>): ResumablePage {
  const { entity, order } = list;
  const parts = { ...list, total: countedTotal(entity, scope) };
  const version = listVersion(entity, scope);
  return {
    ...pageStatement(parts),
    versioned: pageStatement({ ...parts, name: `${list.name}_versioned`, version }),
    resumed: resumedPageStatement({ ...parts, name: `${list.name}_resumed`, version }),
    order,
  };
}
