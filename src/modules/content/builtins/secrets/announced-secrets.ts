import type { MatchHandler } from '../../engine/detector.js';
import { looksRandom } from './randomness.js';

/** How far a secret may stand from what announces it, and how long it may be, so how far beyond a part one looks. */
const REACH = 512;

/** A URL with a password, which is the group: `postgres://user:password@host`. */
const URL_PASSWORD = /:\/\/[^\s:/?#@"'<>]{0,64}:([^\s:/?#@"'<>]{3,128})@[\w[]/g;

/** What stands for a password in examples: words, and variables of all kinds of templates. */
const NO_PASSWORD =
  /^(?:pass|password|passwd|pwd|secret|user|username|token|changeme|example|your.*|x+|\*+|\.+|[$%{[(].*)$/i;

/** A secret access key of Amazon Web Services, the group, which has no form of its own. */
const SECRET_ACCESS_KEY = /secret[_ -]?(?:access[_ -]?)?key["']?[\s:=>"']{1,8}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/gi;

/** Finds secrets that are known by what stands around them, in a part of a text. */
export function findAnnouncedSecrets(text: string, from: number, to: number, found: MatchHandler): void {
  const part = text.slice(from, to + REACH);
  eachGroup(URL_PASSWORD, part, to - from, (start, password) => {
    if (!NO_PASSWORD.test(password)) found(from + start, from + start + password.length);
  });
  eachGroup(SECRET_ACCESS_KEY, part, to - from, (start, key) => {
    if (looksRandom(key)) found(from + start, from + start + key.length);
  });
}

function eachGroup(expression: RegExp, part: string, end: number, take: (start: number, group: string) => void): void {
  for (const match of part.matchAll(expression)) {
    if (match.index >= end) return;
    const [whole, group = ''] = match;
    take(match.index + whole.lastIndexOf(group), group);
  }
}
