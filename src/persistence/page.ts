/** The requested part of a list. */
export interface PageRequest {
  /** The number of items to skip. */
  readonly offset: number;
  readonly limit: number;
}

/** One page of a list, and the total number of items in the list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly totalCount: number;
}
