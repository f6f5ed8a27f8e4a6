import { RE2JS, RE2JSException } from 're2js';

/**
 * What keeps a regular expression from running in linear time in the size of its input.
 *
 * @param pattern in RE2 syntax: neither look-around nor back-references
 * @returns undefined when there is nothing
 */
export async function patternFault(pattern: string): Promise<string | undefined> {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `is not a regular expression that runs in linear time: ${error.message}`;
  }
}
