import { withoutSlash } from '../../../config/provider-variables.js';

/** The paths of operations, which are added to base URLs. */
const ADDED_PATH =
  /\/(?:chat\/completions|responses|messages|embeddings|audio\/(?:speech|transcriptions)|images\/(?:generations|edits))$/;

/**
 * What is wrong with a base URL that ends with the path of an operation, to which that would be added once more.
 *
 * @returns undefined for one that does not
 */
export function issueOfAddedPath(baseUrl: string): string | undefined {
  const [added] = ADDED_PATH.exec(withoutSlash(baseUrl)) ?? [];
  return added === undefined ? undefined : `must end where ${added} begins, because that is added to it`;
}
