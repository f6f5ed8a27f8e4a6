import { EnumField, IntegerField, TextField } from '../validation/fields.js';

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

/** What a list is sorted by: a field, or a field with `-` before it. */
export type SortOf<Field extends string> = Field | `-${Field}`;

/** A query of a page of a list that can be searched and sorted. */
export interface ViewQuery<Field extends string = string> extends PageQuery {
  search?: string;
  sort?: SortOf<Field>;
}

/**
 * The base class of a query of a list that can be searched and sorted (docs/interface/conventions.md#search-and-order).
 *
 * @param searched where the text is searched, as in `their name or slug`
 * @param fields what the list can be sorted by: names of the view of its page statement
 */
export function ViewOf<const Field extends string>(
  searched: string,
  fields: readonly Field[],
): new () => ViewQuery<Field> {
  const sorts = fields.flatMap((field): SortOf<Field>[] => [field, `-${field}`]);
  class Query extends PageQuery {
    @TextField({
      description: `Only those with this text in ${searched}, in any case.`,
      example: 'production',
      minLength: 1,
      maxLength: 256,
      optional: true,
    })
    search?: string;

    @EnumField(sorts, {
      description: 'What the list is sorted by; with `-` the other way around. The order of the list if absent.',
      example: sorts.find((sort) => sort === '-created_at') ?? sorts[1]!,
      optional: true,
    })
    sort?: SortOf<Field>;
  }
  return Query;
}

/** A page of a list of things that have names. */
export class NamedPageQuery extends ViewOf('their name', ['name', 'created_at']) {}

/** Converts a query to a page request with defaults (docs/interface/conventions.md#pagination). */
export function toPageRequest({ offset = 0, limit = DEFAULT_LIMIT, search, sort }: ViewQuery): {
  offset: number;
  limit: number;
  search?: string | undefined;
  sort?: string | undefined;
} {
  // Larger offsets are not exact, but beyond the end of every list anyway.
  return { offset: Math.min(offset, Number.MAX_SAFE_INTEGER), limit, search, sort };
}

/** Converts a page to the response of a list operation. */
export function toPageResponse<Item, Response>(
  page: { readonly items: readonly Item[]; readonly totalCount: number },
  toResponse: (item: Item) => Response,
): { data: Response[]; total_count: number } {
  return { data: page.items.map(toResponse), total_count: page.totalCount };
}
