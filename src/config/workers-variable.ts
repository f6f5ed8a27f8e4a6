import os from 'node:os';
import type { VariableReader } from './variable-reader.js';

/** More than the processors of most machines, and far fewer than a database has connections for. */
const MOST_WORKERS = 64;

/**
 * How many processes share the port (docs/scaling.md#workers): a number, or one for each processor that this process may use.
 *
 * @param processors how many those are
 */
export function workersOf(reader: VariableReader, processors: number = os.availableParallelism()): number {
  const text = reader.optionalText('WORKERS');
  if (text === undefined) return 1;
  if (text === 'auto') return Math.min(processors, MOST_WORKERS);
  const workers = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (workers >= 1 && workers <= MOST_WORKERS) return workers;
  reader.issue('WORKERS', `must be auto, or a whole number from 1 to ${MOST_WORKERS}`);
  return 1;
}
