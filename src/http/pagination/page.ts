import type { PageQuery } from './page-query.dto.js';

const DEFAULT_LIMIT = 50;

/** The part of a list that a caller asked for. */
export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

/** One page of a list, and how many items the list has in all. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly totalCount: number;
}

/** The window of a query, with its defaults (DECISIONS.md, section 1). */
export function windowOf(query: PageQuery): PageWindow {
  // An offset beyond what a double counts exactly lies behind the end of every list all the same.
  return { offset: Math.min(query.offset ?? 0, Number.MAX_SAFE_INTEGER), limit: query.limit ?? DEFAULT_LIMIT };
}

/** The answer to a list operation. */
export function toPageResponse<Item, Response>(
  page: Page<Item>,
  toResponse: (item: Item) => Response,
): { data: Response[]; total_count: number } {
  return { data: page.items.map(toResponse), total_count: page.totalCount };
}
