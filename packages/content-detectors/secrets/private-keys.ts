import type { MatchHandler } from '../text/detector.js';
import { matchAt } from '../text/sticky-match.js';
import type { TextPart } from '../text/text-part.js';

/** How the first line of a block begins (RFC 7468, section 2). */
export const PRIVATE_KEY_BEGINNING = '-----BEGIN ';
export const FIRST_LINE = /-----BEGIN (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----/y;
const LAST_LINE = /-----END (?:[A-Z0-9]{2,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g;

/** What can stand in a block, and how much of it: keys of 16,384 bits have some 13,000 characters. */
const CONTENT = /(?:[A-Za-z0-9+/=\s:,.()_-]|\\{1,4}[nr]){0,20000}/y;

/** The longest last line, in code units. */
const LONGEST_LAST_LINE = 64;

/** The fewest characters that are a key rather than a mention of one. */
const MINIMUM_CONTENT_LENGTH = 32;

/** Finds private keys in blocks (RFC 7468, section 10), also those that were cut off, that begin in a part of a text. */
export function findPrivateKeys(part: TextPart, from: number, found: MatchHandler): number {
  const { text, to } = part;
  let position = from;
  for (;;) {
    const start = position >= to ? -1 : part.indexOf(PRIVATE_KEY_BEGINNING, position);
    if (start === -1) return Math.max(position, to);
    const end = blockEnd(text, start);
    if (end !== -1) found(start, end);
    position = end === -1 ? start + PRIVATE_KEY_BEGINNING.length : end;
  }
}

/** @returns the end of the block, or of what there is of it; -1 if no private key begins here */
function blockEnd(text: string, start: number): number {
  const firstLine = matchAt(FIRST_LINE, text, start);
  if (firstLine === undefined) return -1;
  const content = matchAt(CONTENT, text, start + firstLine.length) ?? '';
  LAST_LINE.lastIndex = 0;
  // The content may have taken the last line in, up to its hyphens and letters.
  const rest = text.slice(CONTENT.lastIndex - content.length, CONTENT.lastIndex + LONGEST_LAST_LINE);
  const lastLine = LAST_LINE.exec(rest);
  const length = lastLine === null ? content.trimEnd().length : lastLine.index + lastLine[0].length;
  return length < MINIMUM_CONTENT_LENGTH ? -1 : start + firstLine.length + length;
}

/** Whether the block of a private key that begins here may go on behind the end of the text. */
export function isOpenBlock(text: string, start: number): boolean {
  FIRST_LINE.lastIndex = start;
  FIRST_LINE.test(text);
  const contentStart = FIRST_LINE.lastIndex;
  const content = matchAt(CONTENT, text, contentStart) ?? '';
  LAST_LINE.lastIndex = 0;
  return contentStart + content.length >= text.length - LONGEST_LAST_LINE && !LAST_LINE.test(text.slice(contentStart));
}
