import { BODY_BOUNDS, valuesWithin } from '../../api/input/json-bounds.js';

/**
 * The JSON in the arguments of calls of tools, of which the bounds of their answer count nothing. All that one of these parses may
 * hold as much as a body together: what a client gets it can hand back.
 */
export class CalledJson {
  /** How many more values there may be. */
  private left = BODY_BOUNDS.values;

  /** Parses arguments. @returns undefined for what exceeds a bound, with what was parsed before, and for what is no JSON */
  parsed(text: string): unknown {
    const counted = valuesWithin(Buffer.from(text), { ...BODY_BOUNDS, values: this.left });
    if (typeof counted !== 'number') return undefined;
    this.left -= counted;
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}
