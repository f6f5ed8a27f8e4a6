import type { JsonObject } from '../../json-values.js';

/**
 * The fields of a choice that are handed on: those that the gateway does not know and that have a value.
 *
 * @returns undefined if there are none
 */
export function otherFieldsOf(choice: JsonObject): JsonObject | undefined {
  let others: Record<string, unknown> | undefined;
  for (const name in choice) {
    if (isReadApart(name)) continue;
    const value = choice[name];
    if (value === null || value === undefined) continue;
    others ??= {};
    others[name] = value;
  }
  return others;
}

/** Whether a field is read, or is the error, of which callers are told less. No set, because every chunk of a stream comes here. */
function isReadApart(name: string): boolean {
  switch (name) {
    case 'index':
    case 'delta':
    case 'finish_reason':
    case 'logprobs':
    case 'native_finish_reason':
    case 'message':
    case 'text':
    case 'error':
      return true;
    default:
      return false;
  }
}
