import { parsedIfJson } from '../../../http/input/json-bounds.js';
import { visited } from './answer-work.js';
import type { JsonObject } from './json-object.js';
import { DOCUMENT_BOUNDS, isOfParsableExtent } from './document-extent.js';
import { mayHavePrototypeField, removePrototypeFields } from './prototype-fields.js';
import { ProviderError } from '../errors/provider-error.js';

export type { JsonObject } from './json-object.js';

/** Takes a value as an object. A list, null and every other value is undefined. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** Takes a value as a list. Every other value is an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Far more than any answer has choices, contents or calls of tools. */
const MAXIMUM_WALKED_ITEMS = 10_000;

/**
 * Takes a value as a list to be read entry by entry. Every other value is an empty list.
 *
 * @param nodes what each entry counts as in the budget of work of the answer
 * @throws ProviderError for more than 10,000 entries, or more than the budget allows
 */
export function walkedListOf(value: unknown, nodes = 1): readonly unknown[] {
  const list = listOf(value);
  if (list.length > MAXIMUM_WALKED_ITEMS) {
    throw new ProviderError(
      'invalid',
      `The provider’s answer has a list of more than ${MAXIMUM_WALKED_ITEMS} entries.`,
    );
  }
  visited(list.length * nodes);
  return list;
}

/** Whether a value is a text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Takes a value as a text. An empty text and every other value is undefined. */
export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Characters of an id or a word. */
const MAXIMUM_WORD_LENGTH = 256;

/** Leaves out what PostgreSQL cannot store: NUL, and halves of characters. */
export function storable(text: string): string {
  // Looked for first, because every chunk of a stream comes here, and none has one.
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed();
}

/** The beginning of a text by itself: what V8 cuts from a long text keeps all of it in memory. */
function beginningOf(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
}

/** What a long text is kept as to be compared with others; a short one is itself. */
export function comparable<Text extends string | undefined>(text: Text): Text | string {
  if (text === undefined || text.length <= MAXIMUM_WORD_LENGTH) return text;
  return `${beginningOf(text, MAXIMUM_WORD_LENGTH)}${text.length}`;
}

/**
 * Takes a value as an id or a word, which is recorded: of at most 256 characters, and without those that cannot be stored. An
 * empty one and every other value is undefined.
 */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' ? nonEmptyText(storable(beginningOf(value, MAXIMUM_WORD_LENGTH))) : undefined;
}

/** Tokens: far more than any model reads or writes for a request. Sums of such counts can be stored. */
const MAXIMUM_TOKENS = 1_000_000_000;

/** Takes a value as a number of tokens, rounded up. What cannot be one is undefined. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MAXIMUM_TOKENS ? Math.ceil(value) : undefined;
}

/** Takes a value as an index in a list. @param standing the index to take if the value cannot be one */
export function placeOf(value: unknown, standing: number): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : standing;
}

/**
 * Parses JSON of another party, without fields `__proto__` ({@link removePrototypeFields}).
 *
 * @returns undefined for a text that is not JSON, or exceeds a bound
 */
export function parsed(text: string, bounds = DOCUMENT_BOUNDS): unknown {
  if (!isOfParsableExtent(text, bounds)) return undefined;
  const value = parsedIfJson(text);
  if (mayHavePrototypeField(text)) removePrototypeFields(value);
  return value;
}
