/** Rows of models, by the id of the model and in their order. */
export function byModel<Row extends { readonly modelId: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.modelId);
    if (group === undefined) groups.set(row.modelId, [row]);
    else group.push(row);
  }
  return groups;
}
