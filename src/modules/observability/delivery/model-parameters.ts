import { isObject } from '../../../http/validation/constraints.js';
import type { GenerationEvent } from './generation-event.js';

/** Parameters whose value is one of a few words, and so quotes nothing. */
const WORDS = new Set(['encoding_format', 'reasoning_effort', 'service_tier', 'verbosity']);

/**
 * The parameters of a generation by their names in the OpenAI chat interface. A destination without content gets only numbers, switches and
 * words of a fixed list: schemas, stop sequences and predictions are written by the user as the messages are.
 */
export function modelParametersOf(event: GenerationEvent): Readonly<Record<string, unknown>> {
  if (!isObject(event.parameters)) return {};
  const parameters = Object.entries(event.parameters).filter(
    ([name, value]) => isPlain(name, value) || event.content !== null,
  );
  return Object.fromEntries(parameters);
}

function isPlain(name: string, value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (WORDS.has(name) && isWord(value));
}

function isWord(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z0-9_]{1,32}$/.test(value);
}
