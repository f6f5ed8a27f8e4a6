import { isObject } from '../../../http/validation/constraints.js';
import type { JsonObject } from './json-rpc.js';

/** An argument of a tool that a header repeats (`x-mcp-header`, revision 2026-07-28). */
interface HeaderArgument {
  /** The name of the header, in lower case. */
  readonly header: string;
  /** Where in the arguments it is: names of fields. */
  readonly path: readonly string[];
}

/** What marks an argument in a schema. */
const MARK = 'x-mcp-header';

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

/** A value of a header as clients and servers of revision 2026-07-28 write it: what a header cannot have is in base64. */
export function headerValueOf(text: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(text) && text.trim() === text && !ENCODED.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

/** What the value of a header says; undefined for base64 that is none. */
export function textOfHeader(value: string): string | undefined {
  const trimmed = value.replace(/^[\t ]+|[\t ]+$/g, '');
  if (!trimmed.startsWith('=?base64?') || !trimmed.endsWith('?=')) return trimmed;
  const encoded = ENCODED.exec(trimmed)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded ? bytes.toString() : undefined;
}

/** The headers that repeat arguments of a call, by the schema of the tool. */
export function argumentHeadersOf(schema: JsonObject, values: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    headerArgumentsOf(schema).flatMap(({ header, path }) => {
      const text = textAt(values, path);
      return text === undefined ? [] : [[header, headerValueOf(text)]];
    }),
  );
}

/** The types of arguments that headers may repeat. */
const REPEATED: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/**
 * Whether a schema marks its arguments for headers as the revision has it: single values alone, and each for a header of its own, whatever the
 * case of its name. Clients must leave a tool out that does not.
 */
export function marksHeadersRightly(schema: JsonObject): boolean {
  const marked = markedIn(schema);
  const headers = new Set(marked.map(({ named }) => String(named).toLowerCase()));
  return (
    headers.size === marked.length &&
    marked.every(({ named, type }) => typeof named === 'string' && TOKEN.test(named) && REPEATED.has(type))
  );
}

/** The first header that does not repeat its argument, in lower case; undefined where all do. @param headerOf gives a header of the request */
export function mismatchedArgument(
  schema: JsonObject,
  values: JsonObject,
  headerOf: (name: string) => string | undefined,
): string | undefined {
  return headerArgumentsOf(schema).find(({ header, path }) => {
    const text = textAt(values, path);
    const given = headerOf(header);
    if (text === undefined || given === undefined) return (text === undefined) !== (given === undefined);
    const said = textOfHeader(given);
    return said !== text && !(said !== undefined && said.trim() !== '' && isSameNumber(values, path, said));
  })?.header;
}

function isSameNumber(values: JsonObject, path: readonly string[], said: string): boolean {
  const value = valueAt(values, path);
  return typeof value === 'number' && /^-?\d+(?:\.\d+)?$/.test(said) && Number(said) === value;
}

/** The arguments of a schema that headers repeat. */
function headerArgumentsOf(schema: JsonObject): HeaderArgument[] {
  return markedIn(schema).flatMap(({ named, path }) =>
    typeof named === 'string' && TOKEN.test(named) ? [{ header: `mcp-param-${named.toLowerCase()}`, path }] : [],
  );
}

/** An argument with a mark, right or wrong. */
interface MarkedArgument {
  readonly named: unknown;
  readonly type: unknown;
  readonly path: readonly string[];
}

/** The arguments of a schema that are marked: its fields, and the fields of these. */
function markedIn(schema: JsonObject, path: readonly string[] = []): MarkedArgument[] {
  const { properties } = schema;
  if (!isObject(properties)) return [];
  return Object.entries(properties).flatMap(([name, property]): MarkedArgument[] => {
    if (!isObject(property)) return [];
    const inside = [...path, name];
    const own = { named: property[MARK], type: property['type'], path: inside };
    return [...(MARK in property ? [own] : []), ...markedIn(property, inside)];
  });
}

function textAt(values: JsonObject, path: readonly string[]): string | undefined {
  const value = valueAt(values, path);
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || !Number.isInteger(value) ? String(value) : undefined;
  return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
}

function valueAt(values: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    values,
  );
}
