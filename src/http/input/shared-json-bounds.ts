import { BODY_BOUNDS, extentWithin, type JsonBounds } from './json-bounds.js';

/** The bounds of several JSON texts that together may hold as much as a body. */
export class SharedJsonBounds {
  /** How many more values there may be. */
  private left = BODY_BOUNDS.values;

  /** Counts a text, unless it exceeds a bound with those that were counted before. @returns that bound */
  exceededBy(json: string): keyof JsonBounds | undefined {
    const extent = extentWithin(json, { ...BODY_BOUNDS, values: this.left });
    if (typeof extent === 'string') return extent;
    this.left -= extent.values;
    return undefined;
  }
}
