import type { JsonObject } from '../../json-values.js';

/** The fields of a choice that are read, and its error, of which callers are told less. */
const READ_APART: ReadonlySet<string> = new Set([
  'index',
  'message',
  'delta',
  'text',
  'finish_reason',
  'native_finish_reason',
  'error',
]);

/**
 * The fields of a choice that are handed on: its probabilities, and those that the gateway does not know and that have a value.
 *
 * @returns undefined if there are none
 */
export function otherFieldsOf(choice: JsonObject | undefined): JsonObject | undefined {
  let others: Record<string, unknown> | undefined;
  for (const name in choice) {
    if (READ_APART.has(name)) continue;
    const value = choice[name];
    if (value === undefined || (value === null && name !== 'logprobs')) continue;
    others ??= {};
    others[name] = value;
  }
  return others;
}
