/**
 * Reads an answer of another service, up to a bound, beyond which the rest is not read.
 *
 * @param largest in bytes
 * @returns undefined for a longer answer
 */
export async function boundedText(
  response: { readonly body: AsyncIterable<unknown> | null },
  largest: number,
): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    const bytes = piece as Uint8Array;
    pieces.push(bytes);
    length += bytes.length;
    if (length > largest) return undefined;
  }
  return Buffer.concat(pieces).toString();
}
