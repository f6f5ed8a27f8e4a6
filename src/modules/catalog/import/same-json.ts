import { isDeepStrictEqual } from 'node:util';

/** Compares as JSON: the database does not keep members that are undefined, nor their order. */
export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(toJson(one), toJson(other));
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
