import { Injectable } from '@nestjs/common';
import type { ListedRow } from '../../persistence/listed-columns.js';
import type { Page } from '../../persistence/page-statement.js';
import type { Statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import { FairQueue } from '../../concurrency/fair-queue.js';
import { TooManyLargeLists } from './organization-limits.errors.js';

/**
 * The number of large rows that one statement reads. The largest guardrails have three quarters of a megabyte each, so that
 * a statement ends long before its time limit, also on busy processors.
 */
const ROWS_PER_STATEMENT = 4;

/** The number of concurrent statements that read large rows: few of the connections that all requests share. */
const CONCURRENCY = 4;

/** The maximum number of waiting pages with large rows per organization: as many as 64 connections can request. */
const WAITING_PER_ORGANIZATION = 64;

/**
 * Reads the large rows of pages: a few at a time, so that each statement is short whatever is stored, and fairly between
 * organizations.
 */
@Injectable()
export class LargeRows {
  private readonly queue = new FairQueue({
    overload: TooManyLargeLists,
    concurrency: CONCURRENCY,
    concurrencyPerOrganization: 1,
    waitingPerOrganization: WAITING_PER_ORGANIZATION,
    retryAfterSeconds: 1,
  });

  constructor(private readonly statements: Statements) {}

  /**
   * Completes the large rows of a page. A row that was deleted meanwhile is left out.
   *
   * @param page a page that was read with listedColumnsOf
   * @param byIds reads the rows of some ids, with at least their ids and the columns that were left out, in any order
   * @throws TooManyLargeLists when too many pages with large rows of the organization are being read
   */
  async complete<Row extends { readonly id: string }, Found extends Pick<Row, 'id'>>(
    organizationId: string,
    page: Page<ListedRow<Row>>,
    byIds: Statement<Found, [organizationId: string, ids: readonly string[]]>,
  ): Promise<Page<Row>> {
    const large = page.items.filter(({ isLarge }) => isLarge).map(({ id }) => id);
    if (large.length === 0) return page;
    const whole = new Map<string, Found>();
    for (let start = 0; start < large.length; start += ROWS_PER_STATEMENT) {
      const ids = large.slice(start, start + ROWS_PER_STATEMENT);
      const read = (): Promise<Found[]> => this.statements.rows(byIds, [organizationId, ids]);
      for (const row of await this.queue.run(organizationId, read)) whole.set(row.id, row);
    }
    const items = page.items.flatMap((item) => {
      if (!item.isLarge) return [item];
      const found = whole.get(item.id);
      return found === undefined ? [] : [{ ...item, ...found }];
    });
    return { items, totalCount: page.totalCount };
  }

  /**
   * Does other work that may read large rows, one piece at a time for each organization.
   *
   * @throws TooManyLargeLists when too much of it waits already for the organization
   */
  run<Result>(organizationId: string, work: () => Promise<Result>): Promise<Result> {
    return this.queue.run(organizationId, work);
  }
}
