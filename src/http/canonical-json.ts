/**
 * A value as JSON that is the same for the same value: the fields of objects are in alphabetical order, as they come in no order from requests
 * and in another one from the database.
 */
export function canonicalJson(value: unknown): string {
  // A list of pairs, because an object has names of numbers first, whatever their order.
  return JSON.stringify(inOrder(value));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  fields.sort(([one], [other]) => (one < other ? -1 : 1));
  return { fields: fields.map(([name, field]) => [name, inOrder(field as unknown)]) };
}
