import { Injectable } from '@nestjs/common';
import type { Page, PageWindow } from '../http/pagination/page.js';
import { type Key, PagePositions } from './page-positions.js';
import { DEEP_ROWS, type PageRow, toPage } from './page-statement.js';
import type { ResumablePage } from './resumable-page.js';
import { Statements } from './statements.js';

type ResumedPageRow<Row> = PageRow<Row> & { readonly is_current: boolean | null };

/**
 * Reads pages of lists that can be long. PostgreSQL reads all rows between the place where it begins and the page, so a page
 * in the middle of a long list is read from a row near it whose offset is known from an earlier page, as long as the list is
 * the same as then (docs/adr/0014).
 */
@Injectable()
export class PageReader {
  private readonly positions = new PagePositions();

  constructor(private readonly statements: Statements) {}

  /**
   * Gives the page that `page` alone would give.
   *
   * @param values the parameters of the list's condition
   */
  async read<Row extends object>(
    page: ResumablePage,
    values: readonly unknown[],
    window: PageWindow,
  ): Promise<Page<Row>> {
    if (window.offset < DEEP_ROWS) {
      return toPage(await this.statements.rows<PageRow<Row>>(page, [...values, window.limit, window.offset]));
    }
    const id = JSON.stringify([page.name, ...values]);
    return (await this.resumed<Row>(id, page, values, window)) ?? this.fromEnd<Row>(id, page, values, window);
  }

  /** The page from a row with a known offset; undefined where none is near, or the list has changed since. */
  private async resumed<Row extends object>(
    id: string,
    page: ResumablePage,
    values: readonly unknown[],
    window: PageWindow,
  ): Promise<Page<Row> | undefined> {
    const start = this.positions.startOf(id, window);
    if (start === undefined) return undefined;
    const rows = await this.statements.rows<ResumedPageRow<Row>>(page.resumed, [
      ...values,
      window.limit,
      start.distance,
      start.list.version,
      ...start.key,
    ]);
    const [first] = rows;
    if (first?.is_current !== true || !first.is_item) {
      this.positions.forget(id);
      return undefined;
    }
    this.positions.remember(id, start.list, window, keyOf(page, first));
    return toPage(rows);
  }

  private async fromEnd<Row extends object>(
    id: string,
    page: ResumablePage,
    values: readonly unknown[],
    window: PageWindow,
  ): Promise<Page<Row>> {
    const rows = await this.statements.rows<PageRow<Row>>(page.versioned, [...values, window.limit, window.offset]);
    const read = toPage(rows);
    const [first] = rows;
    const version = first?.list_version;
    if (first?.is_item === true && typeof version === 'string') {
      this.positions.remember(id, { version, totalCount: read.totalCount }, window, keyOf(page, first));
    }
    return read;
  }
}

function keyOf({ order }: ResumablePage, row: object): Key {
  return order.map((property) => (row as Record<string, unknown>)[property]);
}
