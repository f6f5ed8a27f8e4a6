/** The documents that one search has at most, as providers count searches. */
const DOCUMENTS_OF_A_SEARCH = 100;

/** How many searches a request counts as where its provider does not say, and at most. @param documents how many it has */
export function searchUnitsOf(documents: number): number {
  return Math.ceil(documents / DOCUMENTS_OF_A_SEARCH);
}
