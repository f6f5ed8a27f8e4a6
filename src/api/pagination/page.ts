import type { PageQuery } from './page-query.dto.js';

const DEFAULT_LIMIT = 50;

/** Converts a query to a page request with defaults (docs/interface/conventions.md#pagination). */
export function toPageRequest(query: PageQuery): { offset: number; limit: number } {
  // Larger offsets are not exact, but beyond the end of every list anyway.
  return { offset: Math.min(query.offset ?? 0, Number.MAX_SAFE_INTEGER), limit: query.limit ?? DEFAULT_LIMIT };
}

/** Converts a page to the response of a list operation. */
export function toPageResponse<Item, Response>(
  page: { readonly items: readonly Item[]; readonly totalCount: number },
  toResponse: (item: Item) => Response,
): { data: Response[]; total_count: number } {
  return { data: page.items.map(toResponse), total_count: page.totalCount };
}
