import type { AnalyzedEntity } from '../analyzer/analyzer.js';
import type { BuiltinSlug } from '../content-filters.js';
import type { Detector } from '../engine/detector.js';
import { readingPlainCharacters } from '../engine/plain-detector.js';
import { PROMPT_INJECTION } from '../prompt-injection/prompt-injection.js';
import { CREDIT_CARD } from './credit-card.js';
import { EMAIL } from './email.js';
import { IP_ADDRESS } from './ip-address.js';
import { PHONE } from './phone.js';
import { SECRETS } from './secrets/secrets.js';
import { SOCIAL_SECURITY_NUMBER } from './social-security-number.js';

/** The detectors of the builtin filters that need no analyzer (docs/interface/content-filters.md#builtin-filters). */
export const DETECTORS: Readonly<Record<Exclude<BuiltinSlug, AnalyzedEntity>, Detector>> = {
  email: readingPlainCharacters(EMAIL),
  phone: readingPlainCharacters(PHONE),
  ssn: readingPlainCharacters(SOCIAL_SECURITY_NUMBER),
  'credit-card': readingPlainCharacters(CREDIT_CARD),
  'ip-address': readingPlainCharacters(IP_ADDRESS),
  secrets: SECRETS,
  'regex-prompt-injection': PROMPT_INJECTION,
};
