import type { DetectorSlug } from './detectors.js';
import { openKeyStart } from './secrets/open-keys.js';

/** How far a detector looks around the place in which it finds something, in UTF-16 code units. */
export interface Reach {
  /** How far behind the end of a part it may look to decide on a match that belongs to the part. */
  readonly ahead: number;
  /** How far before the start of a part a match may begin that belongs to the part. */
  readonly back: number;
  /**
   * Where something stands that may be the beginning of a longer match than {@link ahead}, which the text so far does not end; undefined where
   * nothing does.
   *
   * @param from where to begin to look
   */
  readonly openStart?: (text: string, from: number) => number | undefined;
}

/** How far before a match any detector reads, in code units. */
export const READ_BEFORE_MATCH = 512;

/**
 * The reach of each detector, from its longest expressions: what a text that is still growing may still change is not further from its end
 * (docs/interface/content-filters.md#answers).
 */
export const REACHES: Readonly<Record<DetectorSlug, Reach>> = {
  // A domain of 253 characters and what shows that it is none; a local part in quotation marks.
  email: { ahead: 324, back: 66 },
  // An international number in groups and an extension; a parenthesis and a plus sign.
  phone: { ahead: 112, back: 3 },
  // A number, and what says it in messages.
  ssn: { ahead: 64, back: 0 },
  // Nineteen digits in groups; the number of a magnetic stripe, which is found by its end.
  'credit-card': { ahead: 40, back: 22 },
  // An address and the folder of a program; an address of version 6, which is found by a colon.
  'ip-address': { ahead: 96, back: 46 },
  // A name, attributes between it and its value, and that; an address of which a key is the rest.
  secrets: { ahead: 1_024, back: 76, openStart: openKeyStart },
  // A phrase with characters between its letters that are not seen.
  'regex-prompt-injection': { ahead: 1_200, back: 160, openStart: openKeyStart },
};
