import { countedTotal, listVersion, type PageParts, pageStatement, resumedPageStatement } from './page-statement.js';
import type { Statement } from './statements.js';

/** What a resumable page is made of: a list that triggers count, in an order of columns that are never changed. */
export type ResumablePageParts<Row extends object> = Omit<PageParts<Row>, 'total' | 'version'> & {
  /** The list's scope, as the triggers that count it have it. */
  readonly scope: string;
};

/** The statement of a page, beside the one that begins at a row whose offset is known. */
export interface ResumablePage extends Statement {
  readonly resumed: Statement;
  /** The properties that the list is ordered by. */
  readonly order: readonly string[];
}

/** The statements of a list's pages; {@link PageReader} chooses between them. */
export function resumablePage<Row extends object>({ scope, ...list }: ResumablePageParts<Row>): ResumablePage {
  const { entity, order } = list;
  const parts = { ...list, total: countedTotal(entity, scope), version: listVersion(entity, scope) };
  return { ...pageStatement(parts), resumed: resumedPageStatement(parts), order };
}
