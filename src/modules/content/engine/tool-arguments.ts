import { joinOverlapping, type RedactedSpan, replaceSpans } from './redaction.js';
import type { ScanTarget } from './scan-target.js';

/** Longer arguments are taken for JSON by their first and last character: parsing them would hold the event loop. */
const LONGEST_PARSED = 131_072;

/** A string or a number of JSON. Strings have no line end that is not escaped; each character is read once. */
const VALUE = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** A string or a number, where it stands in the arguments, and where in the text that is scanned. */
interface JsonValue {
  readonly source: Span;
  readonly scanned: Span;
  readonly text: string;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * The arguments of a tool call: the names, strings and numbers in them are scanned as one text, each on a line of its own
 * (docs/interface/content-filters.md#tool-calls). A redaction replaces part of a name or string, or a whole number by a string,
 * so what was JSON stays JSON, and everything else in it stays as it was written.
 *
 * @returns undefined for what is not JSON
 */
export function toolArguments(source: string): ScanTarget | undefined {
  if (!isJson(source)) return undefined;
  const values = valuesOf(source);
  return {
    text: values.map(({ text }) => text).join('\n'),
    redacted: (spans) => redactedSource(source, values, joinOverlapping(spans)),
    placeOf: (span) => placeIn(values, span),
  };
}

/** The whole strings and numbers that a match reaches into: without their escapes there is no part of them. */
function placeIn(values: readonly JsonValue[], { start, end }: Span): Span {
  const first = values[firstReaching(values, start)]!;
  const last = values[firstReaching(values, end - 1)]!;
  return { start: first.source.start, end: last.source.end };
}

/** The position of the first value that ends at or behind an offset of the text that is scanned, by halving. */
function firstReaching(values: readonly JsonValue[], offset: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (values[middle]!.scanned.end > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

function isJson(text: string): boolean {
  if (text.length > LONGEST_PARSED) return /^\s*[{[]/.test(text) && /[}\]]\s*$/.test(text.slice(-16));
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function valuesOf(source: string): JsonValue[] {
  const values: JsonValue[] = [];
  let position = 0;
  for (const { index, 0: token } of source.matchAll(VALUE)) {
    const text = token.startsWith('"') ? contentOf(token) : token;
    values.push({
      source: { start: index, end: index + token.length },
      scanned: { start: position, end: position + text.length },
      text,
    });
    position += text.length + 1;
  }
  return values;
}

function contentOf(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return JSON.parse(token) as string;
  } catch (error) {
    // Only in arguments too long to be parsed, which turn out to be no JSON.
    if (error instanceof SyntaxError) return token.slice(1, -1);
    throw error;
  }
}

/** @param spans disjoint, in the order of the text; each may reach over several values */
function redactedSource(source: string, values: readonly JsonValue[], spans: readonly RedactedSpan[]): string {
  const replacements: RedactedSpan[] = [];
  let first = 0;
  for (const value of values) {
    const { start, end } = value.scanned;
    while (first < spans.length && spans[first]!.end <= start) first += 1;
    const inside: RedactedSpan[] = [];
    for (let index = first; index < spans.length && spans[index]!.start < end; index += 1) {
      const span = spans[index]!;
      inside.push({ ...span, start: Math.max(span.start - start, 0), end: Math.min(span.end - start, end - start) });
    }
    if (inside.length > 0) replacements.push({ ...value.source, placeholder: redactedValue(source, value, inside) });
  }
  return replaceSpans(source, replacements);
}

function redactedValue(
  source: string,
  { source: { start }, text }: JsonValue,
  inside: readonly RedactedSpan[],
): string {
  const isString = source.charAt(start) === '"';
  return JSON.stringify(isString ? replaceSpans(text, inside) : inside[0]!.placeholder);
}
