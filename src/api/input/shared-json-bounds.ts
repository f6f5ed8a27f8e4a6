import { BODY_BOUNDS, type JsonBounds, valuesWithin } from './json-bounds.js';

/** The bounds of several JSON texts that together may hold as much as a body. */
export class SharedJsonBounds {
  /** How many more values there may be. */
  private left = BODY_BOUNDS.values;

  /** Counts a text, unless it exceeds a bound with those that were counted before. @returns that bound */
  exceededBy(json: Uint8Array): keyof JsonBounds | undefined {
    const counted = valuesWithin(json, { ...BODY_BOUNDS, values: this.left });
    if (typeof counted !== 'number') return counted;
    this.left -= counted;
    return undefined;
  }
}
