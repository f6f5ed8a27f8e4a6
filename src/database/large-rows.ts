import { Injectable } from '@nestjs/common';
import type { Page } from '../http/pagination/page.js';
import { FairQueue } from '../limits/fair-queue.js';
import { columnNameOf, columnsOf, entityColumns, tableOf } from './entity-columns.js';

/** The largest value that the statement of a page reads itself, in bytes. PostgreSQL compresses rows that are larger. */
const SMALL_VALUE_BYTES = 2_000;

/**
 * How many large rows one statement reads. The largest guardrails have three quarters of a megabyte each, so that a
 * statement ends long before its time does, also when the processors have much else to do.
 */
const ROWS_AT_ONCE = 4;

/** How many statements that read large rows run at once: a few of the connections that all requests share. */
const CONCURRENCY = 4;

/** How many pages with large rows may wait for an organization: as many as 64 connections can ask for. */
const WAITING_PER_ORGANIZATION = 64;

/** A row of a page, in which large values are null; whether it has any. */
export type ListedRow<Row> = Row & { readonly isLarge: boolean };

/**
 * The select list of an entity's columns for a page: large values of some columns are null, and `isLarge` says whether
 * there are any. Neither looks at more of a large value than how much space it takes.
 *
 * @param alias the table's alias in the statement
 * @param large the properties whose values may be large
 */
export function listedColumnsOf<Row extends object>(
  entity: new () => Row,
  alias: string,
  large: readonly (keyof Row & string)[],
): string {
  const mayBeLarge = new Set<string>(large);
  const isSmall = (property: string): string => {
    const column = `${alias}.${columnNameOf(entity, property)}`;
    return `(coalesce(pg_column_size(${column}), 0) <= ${SMALL_VALUE_BYTES} AND pg_column_compression(${column}) IS NULL)`;
  };
  const properties = entityColumns(entity).map(({ property }) => property as keyof Row & string);
  return [
    columnsOf(
      entity,
      alias,
      properties.filter((property) => !mayBeLarge.has(property)),
    ),
    ...large.map(
      (property) =>
        `CASE WHEN ${isSmall(property)} THEN ${alias}.${columnNameOf(entity, property)} END AS "${property}"`,
    ),
    `NOT (${large.map(isSmall).join(' AND ')}) AS "isLarge"`,
  ].join(', ');
}

/**
 * A statement's text: the whole rows of the ids in $2, of those that belong to $1. Each is looked up by itself, so that it
 * costs the same however many rows belong to the same owner.
 *
 * @param owner the column that says whom a row belongs to
 */
export function rowsByIds(entity: new () => object, owner: string): string {
  return `SELECT ${columnsOf(entity, 'found')} FROM unnest($2::uuid[]) AS asked (id)
    CROSS JOIN LATERAL (SELECT * FROM ${tableOf(entity)} WHERE ${owner} = $1 AND id = asked.id LIMIT 1) AS found`;
}

/**
 * Reads the large rows of pages: a few at a time, so that no statement takes long whatever is stored, and in turns between
 * organizations.
 */
@Injectable()
export class LargeRows {
  private readonly queue = new FairQueue({
    reason: 'too_many_large_lists',
    concurrency: CONCURRENCY,
    concurrencyPerOrganization: 1,
    waitingPerOrganization: WAITING_PER_ORGANIZATION,
    retryAfterSeconds: 1,
  });

  /**
   * A page with its large rows read as a whole. One that was deleted meanwhile is left out.
   *
   * @param page as {@link listedColumnsOf} reads it
   * @param read the whole rows of some ids, in any order
   * @throws RateLimitExceededError when too many pages with large rows of the organization are being read
   */
  async complete<Row extends { readonly id: string }>(
    organizationId: string,
    page: Page<ListedRow<Row>>,
    read: (ids: readonly string[]) => Promise<readonly Row[]>,
  ): Promise<Page<Row>> {
    const large = page.items.filter(({ isLarge }) => isLarge).map(({ id }) => id);
    if (large.length === 0) return page;
    const whole = new Map<string, Row>();
    for (let start = 0; start < large.length; start += ROWS_AT_ONCE) {
      const ids = large.slice(start, start + ROWS_AT_ONCE);
      for (const row of await this.queue.run(organizationId, () => read(ids))) whole.set(row.id, row);
    }
    const items = page.items.flatMap((item) => (item.isLarge ? (whole.get(item.id) ?? []) : [item]));
    return { items, totalCount: page.totalCount };
  }
}
