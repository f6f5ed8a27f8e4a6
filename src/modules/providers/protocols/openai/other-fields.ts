import type { JsonObject } from '../../json-values.js';

/**
 * The fields of an object that are handed on: those that the gateway does not know and that have a value.
 *
 * @param isReadApart whether a field of this name is not to be handed on
 * @returns undefined if there are none
 */
export function otherFieldsOf(object: JsonObject, isReadApart: (name: string) => boolean): JsonObject | undefined {
  let others: Record<string, unknown> | undefined;
  for (const name in object) {
    if (isReadApart(name)) continue;
    const value = object[name];
    if (value === null || value === undefined) continue;
    others ??= {};
    others[name] = value;
  }
  return others;
}
