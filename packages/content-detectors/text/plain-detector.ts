import type { Detector } from './detector.js';

/** Lets a detector read a text as it is in plain characters (docs/interface/content-filters.md#builtin-filters). */
export function readingPlainCharacters(detector: Detector): Detector {
  return {
    detect(part, from, found) {
      const plain = part.inPlainCharacters;
      if (plain === undefined) return detector.detect(part, from, found);
      const { shift } = plain;
      return (
        shift +
        detector.detect(plain.part, from - shift, (start, end, pattern) => found(start + shift, end + shift, pattern))
      );
    },
  };
}
