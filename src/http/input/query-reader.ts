import type { Issue } from '../errors/issue.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { percentDecoded } from './percent-encoding.js';

/** A query string taken apart: the value of each parameter, and what was wrong with it. */
export interface QueryReading {
  readonly values: Record<string, unknown>;
  readonly issues: readonly Issue[];
}

/**
 * Reads a query string. A parameter that is given twice, or that is not percent-encoded UTF-8, is a fault; a value is
 * turned into a number only when its parameter is one and it is written in plain decimal digits.
 *
 * @param text what stands behind the question mark
 * @param properties the schema of each known parameter
 */
export function readQuery(text: string, properties: Readonly<Record<string, JsonSchema>>): QueryReading {
  // Null prototype: a parameter named `__proto__` is a parameter like any other, and unknown.
  const values = Object.create(null) as Record<string, unknown>;
  const issues: Issue[] = [];
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const separator = pair.indexOf('=');
    const name = decode(separator === -1 ? pair : pair.slice(0, separator));
    const value = separator === -1 ? '' : decode(pair.slice(separator + 1));
    if (name === undefined) issues.push({ path: '', message: 'a name in the query is not percent-encoded UTF-8' });
    else if (name in values) issues.push({ path: name, message: 'must be given only once' });
    else if (value === undefined) issues.push({ path: name, message: 'is not percent-encoded UTF-8' });
    if (name !== undefined) values[name] = convert(value ?? '', properties[name]);
  }
  return { values, issues };
}

function decode(text: string): string | undefined {
  return percentDecoded(text.replaceAll('+', ' '));
}

function convert(text: string, schema: JsonSchema | undefined): unknown {
  if (schema?.type === 'integer' && /^-?\d+$/.test(text)) return finite(Number(text));
  if (schema?.type === 'number' && /^-?\d+(?:\.\d+)?$/.test(text)) return finite(Number(text));
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** More digits than a number has are still digits: what is too large is the largest. Adding 0 makes -0 the 0 that it is. */
function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE)) + 0;
}
