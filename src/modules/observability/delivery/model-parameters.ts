import { isObject } from '../../../http/validation/constraints.js';
import type { GenerationEvent } from './generation-event.js';
import { jsonText } from './json-text.js';

/** Parameters whose value is one of a few words, and so quotes nothing. */
const WORDS = new Set(['encoding_format', 'reasoning_effort', 'service_tier', 'verbosity']);

/** Of a parameter as JSON: a longer one, such as a large schema, is left out. */
const MAXIMUM_LENGTH = 10_000;

/**
 * The parameters of a generation by their names in the OpenAI chat interface. A destination without content gets only numbers, switches and
 * words of a fixed list: schemas, stop sequences and predictions are written by the user as the messages are.
 */
export function modelParametersOf(event: GenerationEvent): Readonly<Record<string, unknown>> {
  if (!isObject(event.parameters)) return {};
  const isSent = event.content === null ? isPlain : isShort;
  return Object.fromEntries(Object.entries(event.parameters).filter(([name, value]) => isSent(name, value)));
}

function isPlain(name: string, value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'boolean' || (WORDS.has(name) && isWord(value));
}

function isShort(_name: string, value: unknown): boolean {
  const text = value === null ? undefined : jsonText(value);
  return text !== undefined && text !== 'null' && text.length <= MAXIMUM_LENGTH;
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z0-9_]{1,32}$/.test(value);
}
