import type { Detector, MatchHandler } from '../../engine/detector.js';
import { findAnnouncedSecrets } from './announced-secrets.js';
import { findKnownKeys } from './known-keys.js';
import { findPrivateKeys } from './private-keys.js';

/** Finds keys, tokens and passwords that give access to something (docs/interface/content-filters.md#secrets). */
export const SECRETS: Detector = {
  detect(text: string, from: number, to: number, found: MatchHandler): number {
    findAnnouncedSecrets(text, from, to, found);
    // Matches that reach beyond the part may be found again from there, which changes nothing but their number.
    return Math.max(findKnownKeys(text, from, to, found), findPrivateKeys(text, from, to, found));
  },
};
