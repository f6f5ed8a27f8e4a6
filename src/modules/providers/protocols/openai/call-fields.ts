import type { JsonObject } from '../../json-values.js';
import { otherFieldsOf } from './other-fields.js';

/** The fields of a tool call, or of a part of one, that are handed on ({@link otherFieldsOf}), such as what signs a thought. */
export function otherFieldsOfCall(call: JsonObject | undefined): JsonObject | undefined {
  return call === undefined ? undefined : otherFieldsOf(call, isOfCall);
}

/** The further fields of the function that is called. */
export function otherFieldsOfFunction(called: JsonObject | undefined): JsonObject | undefined {
  return called === undefined ? undefined : otherFieldsOf(called, isOfFunction);
}

function isOfCall(name: string): boolean {
  return name === 'index' || name === 'id' || name === 'type' || name === 'function';
}

function isOfFunction(name: string): boolean {
  return name === 'name' || name === 'arguments';
}
