import { CREDIT_CARD } from './personal-data/credit-card.js';
import { EMAIL } from './personal-data/email.js';
import { IP_ADDRESS } from './personal-data/ip-address.js';
import { PHONE } from './personal-data/phone.js';
import { SOCIAL_SECURITY_NUMBER } from './personal-data/social-security-number.js';
import { PROMPT_INJECTION } from './prompt-injection/prompt-injection.js';
import { SECRETS } from './secrets/secrets.js';
import type { Detector } from './text/detector.js';

/** The detectors by the slugs of the builtin filters that have them (docs/interface/content-filters.md#builtin-filters). */
export const DETECTORS = {
  email: readingPlainCharacters(EMAIL),
  phone: readingPlainCharacters(PHONE),
  ssn: readingPlainCharacters(SOCIAL_SECURITY_NUMBER),
  'credit-card': readingPlainCharacters(CREDIT_CARD),
  'ip-address': readingPlainCharacters(IP_ADDRESS),
  secrets: SECRETS,
  'regex-prompt-injection': PROMPT_INJECTION,
} as const;

/** The slug of a filter with a detector. */
export type DetectorSlug = keyof typeof DETECTORS;

/** Lets a detector read a text as it is in plain characters (docs/interface/content-filters.md#builtin-filters). */
function readingPlainCharacters(detector: Detector): Detector {
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
