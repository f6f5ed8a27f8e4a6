/**
 * How often a request has a header. Node keeps one value of each, so what is there twice shows in the raw headers alone.
 *
 * @param rawHeaders names and values in turn
 * @param name in lower case
 */
export function countOfHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const candidate = rawHeaders[index]!;
    if (candidate.length === name.length && candidate.toLowerCase() === name) count += 1;
  }
  return count;
}
