/** Queries that no list takes (docs/interface/conventions.md#pagination), and the places of the issues in each. */
export const INVALID_PAGE_QUERIES: readonly (readonly [query: string, paths: readonly string[]])[] = [
  ['limit=0', ['limit']],
  ['limit=101', ['limit']],
  ['limit=-1', ['limit']],
  ['limit=', ['limit']],
  ['limit', ['limit']],
  ['limit=1.5', ['limit']],
  ['limit=1e1', ['limit']],
  ['limit=+5', ['limit']],
  ['limit=%205', ['limit']],
  ['limit=null', ['limit']],
  ['limit=5&limit=6', ['limit']],
  ['limit=5&limit=5', ['limit']],
  ['limit[]=5', ['limit[]']],
  ['limit=%ff', ['limit', 'limit']],
  ['limit=%00', ['limit', 'limit']],
  ['offset=-1', ['offset']],
  ['offset=', ['offset']],
  ['offset=1e2', ['offset']],
  ['offset=0x10', ['offset']],
  ['offset=NaN', ['offset']],
  ['offset=0&offset=0', ['offset']],
  ['skip=1', ['skip']],
  ['LIMIT=1', ['LIMIT']],
  ['__proto__=1', ['__proto__']],
];

/** Some of them, for each list but one: all lists read offset and limit with the same class. */
export const SOME_INVALID_PAGE_QUERIES = INVALID_PAGE_QUERIES.filter(([query]) =>
  ['limit=101', 'offset=-1', 'skip=1'].includes(query),
);
