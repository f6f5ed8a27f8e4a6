import { type JsonObject, objectOf, walkedListOf } from '../../json-values.js';

/**
 * Reads the details of reasoning, in a whole answer or in a part of one. Entries that are not details are left out.
 *
 * @returns undefined if there are none
 */
export function reasoningDetailsOf(value: unknown): readonly JsonObject[] | undefined {
  const details = walkedListOf(value)
    .map(objectOf)
    .filter((detail) => detail !== undefined);
  return details.length === 0 ? undefined : details;
}
