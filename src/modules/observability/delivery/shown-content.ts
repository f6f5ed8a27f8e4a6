import type { EventContent, GenerationEvent } from './generation-event.js';
import { jsonText } from './json-text.js';
import { cutText, type TextLimit } from './text-cut.js';

/** An inline file: its media type, and its data in base64. */
const INLINE_FILE = /^data:([^,;]{0,128})[^,]{0,128};base64,/i;

/** A shorter text named `data` may be anything; recordings have no media type before their data. */
const MINIMUM_RECORDING_LENGTH = 256;

/** Deeper than any conversation is; what lies below is left out, so that the stack suffices. */
const MAXIMUM_DEPTH = 64;

/**
 * The content of a generation as destinations are shown it: without the data of images, recordings and files, which are replaced by their
 * media type (docs/interface/destination-types.md#content).
 *
 * @param limit of each of its texts; what is longer is cut
 * @returns null where the destination gets none, or where it cannot be written
 */
export function shownContentOf(event: GenerationEvent, limit: TextLimit | null = null): EventContent | null {
  if (event.content === null) return null;
  const text = jsonText(shown(event.content, limit, '', 0));
  return text === undefined ? null : (JSON.parse(text) as EventContent);
}

function shown(value: unknown, limit: TextLimit | null, name: string, depth: number): unknown {
  if (typeof value === 'string') {
    const text = withoutData(value, name);
    return limit === null ? text : cutText(text, limit);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAXIMUM_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => shown(item, limit, name, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item, limit, key, depth + 1)]));
}

function withoutData(text: string, name: string): string {
  const file = text.startsWith('data:') ? INLINE_FILE.exec(text) : null;
  if (file !== null) return `data:${file[1] ?? ''},omitted`;
  return name === 'data' && text.length >= MINIMUM_RECORDING_LENGTH && isBase64(text) ? 'omitted' : text;
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(text);
}
