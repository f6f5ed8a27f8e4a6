/**
 * Rows by a name each, and by how many of the same name come before: public lists may have several endpoints of one tag.
 *
 * @returns in the order of the rows; the name alone for the first one of it, then `name (2)` and so on
 */
export function numbered<Row extends object>(rows: readonly Row[], nameOf: (row: Row) => string): Map<string, Row> {
  const seen = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const name = nameOf(row);
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      return [number === 1 ? name : `${name} (${number})`, row];
    }),
  );
}
