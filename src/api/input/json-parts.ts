/** An object that JSON is parsed to. */
export type JsonFields = Record<string, unknown>;

/** A list or an object that is put together from several texts. */
export type Container = unknown[] | JsonFields;

/** What has been parsed by itself, while the entry in which it stands has not ended. */
export interface Parsed<Value> {
  readonly value: Value;
  readonly start: number;
  readonly end: number;
}

/** Adds the items of a list to another one. @returns whether there are none */
export function addItems(list: unknown[], items: readonly unknown[]): boolean {
  for (const item of items) list.push(item);
  return items.length === 0;
}

/** Adds the fields of an object to another one. @returns whether there are none */
export function addFields(object: JsonFields, fields: JsonFields): boolean {
  const names = Object.keys(fields);
  for (const name of names) setField(object, name, fields[name]);
  return names.length === 0;
}

/** Sets a field as JSON.parse does: of fields of one name the last counts, and every name is one of a field. */
export function setField(object: JsonFields, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
