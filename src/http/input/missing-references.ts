/**
 * The places in a list of a request of what does not exist.
 *
 * @param references what the list names
 * @param known what is stored already; it may have been deleted since
 * @param find looks up several references, each asked for once
 */
export async function missingReferences(
  references: readonly string[] | null | undefined,
  known: readonly string[] | null,
  find: (asked: readonly string[]) => Promise<{ has(reference: string): boolean }>,
): Promise<number[]> {
  const kept = new Set(known);
  const asked = [...new Set(references)].filter((reference) => !kept.has(reference));
  if (asked.length === 0) return [];
  const found = await find(asked);
  return (references ?? []).flatMap((reference, index) => (kept.has(reference) || found.has(reference) ? [] : [index]));
}
