/**
 * The size of a value in JSON, in bytes of UTF-8 and without white space. It asks for no stack, however deep the value is
 * nested, and makes no copy of the whole.
 *
 * @param value parsed JSON
 */
export function jsonSize(value: unknown): number {
  let bytes = 0;
  const rest: unknown[] = [value];
  // Each part that is taken from the list puts its own parts there.
  while (rest.length > 0) {
    const part = rest.pop();
    if (typeof part !== 'object' || part === null) {
      bytes += sizeOfScalar(part);
      continue;
    }
    const names = Array.isArray(part) ? [] : Object.keys(part);
    const parts: unknown[] = Array.isArray(part) ? part : Object.values(part);
    // The brackets, the commas between the parts, and the name and colon of each.
    bytes += 2 + Math.max(parts.length - 1, 0);
    for (const name of names) bytes += sizeOfScalar(name) + 1;
    for (const inner of parts) rest.push(inner);
  }
  return bytes;
}

function sizeOfScalar(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
