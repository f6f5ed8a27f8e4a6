import { IntegerField } from '../validation/fields.js';

const DEFAULT_LIMIT = 50;

/** The requested page of a list (docs/interface/conventions.md#pagination). */
export class PageQuery {
  @IntegerField({
    description: 'The number of items to skip.',
    example: 0,
    minimum: 0,
    optional: true,
    default: 0,
  })
  offset?: number;

  @IntegerField({
    description: 'The maximum number of items to return.',
    example: DEFAULT_LIMIT,
    minimum: 1,
    maximum: 100,
    optional: true,
    default: DEFAULT_LIMIT,
  })
  limit?: number;
}

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
