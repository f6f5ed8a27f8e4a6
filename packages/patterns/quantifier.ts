import type { Repetition } from './extent.js';
import type { PatternReader } from './pattern-reader.js';

const ANY: Repetition = { minimum: 0 };
const SOME: Repetition = { minimum: 1 };
const OPTIONAL: Repetition = { minimum: 0, maximum: 1 };

/**
 * Reads `*`, `+`, `?`, `{n}`, `{n,}` or `{n,m}`, greedy or not. Braces of another form are text in RE2.
 *
 * @returns undefined when there is none, and the reader has not moved
 */
export function readQuantifier(reader: PatternReader): Repetition | undefined {
  const repetition = readRepetition(reader);
  if (repetition !== undefined) reader.take('?');
  return repetition;
}

function readRepetition(reader: PatternReader): Repetition | undefined {
  if (reader.take('*')) return ANY;
  if (reader.take('+')) return SOME;
  if (reader.take('?')) return OPTIONAL;
  if (!reader.isAt('{')) return undefined;
  const start = reader.position;
  const counted = readCounts(reader);
  if (counted === undefined) reader.position = start;
  return counted;
}

function readCounts(reader: PatternReader): Repetition | undefined {
  reader.take('{');
  const minimum = readCount(reader);
  if (minimum === undefined) return undefined;
  if (reader.take('}')) return { minimum, maximum: minimum };
  if (!reader.take(',')) return undefined;
  if (reader.take('}')) return { minimum };
  const maximum = readCount(reader);
  if (maximum === undefined || !reader.take('}')) return undefined;
  return { minimum, maximum };
}

/** A number without leading zeros; of many digits, one that is beyond every bound. */
function readCount(reader: PatternReader): number | undefined {
  const digits = reader.digits();
  if (digits === '' || (digits.length > 1 && digits.startsWith('0'))) return undefined;
  return Number(digits.slice(0, 9));
}
