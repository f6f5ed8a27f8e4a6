import { type JsonObject, objectOf } from '../../json-values.js';
import { otherFieldsOf } from './other-fields.js';

/** The fields of a choice that are handed on ({@link otherFieldsOf}). */
export function otherFieldsOfChoice(choice: JsonObject): JsonObject | undefined {
  return otherFieldsOf(choice, isReadApart);
}

/**
 * The probabilities of the tokens of a choice. Both lists are there, because typed clients require them, and null where a provider
 * leaves one out. Another form, such as that of legacy completions, is handed on.
 */
export function logprobsOf(given: unknown): unknown {
  const fields = objectOf(given);
  if (fields === undefined || !('content' in fields || 'refusal' in fields)) return given;
  return { ...fields, content: fields['content'] ?? null, refusal: fields['refusal'] ?? null };
}

/** Whether a field is read separately, or is the error, which callers are not told in full. A switch is faster than a set for every chunk. */
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
    case 'usage':
      return true;
    default:
      return false;
  }
}
