/** Characters of JSON that are written at once, in about a millisecond. */
export const LARGE_JSON = 262_144;

/** The estimated length of a value that is no text, and of what stands around a name. */
const SCALAR_LENGTH = 8;

/** Whether the JSON of a value is longer than a number of characters, by estimate. It stops as soon as that is known. */
export function isLongerThan(value: unknown, length: number): boolean {
  return lengthLeft(value, length) < 0;
}

/** Subtracts the estimated JSON length of a value from a number of characters; stops below 0. */
export function lengthLeft(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left - SCALAR_LENGTH;
  let remaining = left - SCALAR_LENGTH;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && remaining >= 0; index += 1) {
      remaining = lengthLeft(value[index], remaining);
    }
    return remaining;
  }
  // Every page of a list comes here, so that no list of its fields is made.
  for (const name in value) {
    remaining -= name.length + SCALAR_LENGTH;
    if (remaining >= 0) remaining = lengthLeft((value as Readonly<Record<string, unknown>>)[name], remaining);
    if (remaining < 0) break;
  }
  return remaining;
}
