/** The path of an operation of a model, whose id, which may be an ARN, is one segment of it. */
export function pathOf(model: string, operation: string): string {
  return `/model/${encodeURIComponent(model)}/${operation}`;
}
