import type { MatchHandler } from '../text/detector.js';
import type { TextPart } from '../text/text-part.js';
import { isPlaceholder } from './secret-values.js';

/** The name and the password of a URL, which is the group: `postgres://user:password@host`. */
const USER_INFORMATION = /:\/\/[^\s:/?#@"'<>]{0,64}:([^\s:/?#@"'<>]{3,128})@[\w[]/y;

const SLASH = '/'.charCodeAt(0);

/** Finds the passwords of URLs whose scheme ends in a part of a text. */
export function findUrlPasswords(part: TextPart, from: number, found: MatchHandler): void {
  const { text } = part;
  const { colons, codes } = part.words;
  for (const colon of colons) {
    if (codes[colon - part.from + 1] !== SLASH || colon < from) continue;
    USER_INFORMATION.lastIndex = colon;
    const [whole, password = ''] = USER_INFORMATION.exec(text) ?? [];
    if (whole === undefined || isPlaceholder(password)) continue;
    // Behind the password stand an at sign and the first character of the host.
    const end = colon + whole.length - 2;
    found(end - password.length, end);
  }
}
