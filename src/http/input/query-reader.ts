import type { Issue, IssueWithReason } from '../errors/issue.js';
import { type DtoClass, fieldsOf } from '../validation/dto-fields.js';

/** A parsed query string: the value of each parameter, and the issues. */
export interface QueryReading {
  readonly values: Record<string, unknown>;
  readonly issues: readonly IssueWithReason[];
}

/**
 * Parses a query string. A parameter that is repeated, or is not percent-encoded UTF-8, is an issue. A value is converted to
 * a number only if the parameter is a number and the value is written in plain decimal digits.
 *
 * @param text the part after the question mark
 * @param type the class of the known parameters; undefined for an operation without any
 */
export function readQuery(text: string, type?: DtoClass): QueryReading {
  const fields = type && fieldsOf(type);
  // Without a prototype, so that a parameter named `__proto__` is reported as unknown like any other.
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
    if (name !== undefined) values[name] = typedValue(value ?? '', fields?.get(name)?.type);
  }
  return { values, issues };
}

function decode(text: string): string | undefined {
  return percentDecoded(text.replaceAll('+', ' '));
}

/**
 * What a text of a query or a form says in a field: a number or a boolean where the field is one and the text is written in plain decimal
 * digits, or is a boolean; else the text.
 *
 * @param type the type of the field in JSON
 */
export function typedValue(text: string, type: unknown): unknown {
  if (type === 'integer' && /^-?\d+$/.test(text)) return finite(Number(text));
  if (type === 'number' && /^-?\d+(?:\.\d+)?$/.test(text)) return finite(Number(text));
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Replaces infinity, from too many digits, by the largest finite number. Adding 0 converts -0 to 0. */
function finite(value: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(value, Number.MAX_VALUE)) + 0;
}

/** Decodes percent-encoded UTF-8 (RFC 3986, section 2.1); undefined if it is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
