import { RE2JS, RE2JSException } from 're2js';
import { compileAside } from './pattern-worker.js';

/** Up to this many characters in all, compiling takes a few milliseconds at worst and is done at once. */
const COMPILED_AT_ONCE = 2_000;

/**
 * What keeps regular expressions from running in linear time in the size of their input.
 *
 * Some patterns take seconds to compile, so what is long is compiled beside the event loop and for a bounded time.
 *
 * @param patterns in RE2 syntax: neither look-around nor back-references
 * @returns for each pattern its fault, or undefined
 */
export async function patternFaults(patterns: readonly string[]): Promise<(string | undefined)[]> {
  const length = patterns.reduce((sum, pattern) => sum + pattern.length, 0);
  return length <= COMPILED_AT_ONCE ? patterns.map(patternFault) : compileAside(patterns);
}

function patternFault(pattern: string): string | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `is not a regular expression that runs in linear time: ${error.message}`;
  }
}
