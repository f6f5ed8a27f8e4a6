import { FIRST_LINE, isOpenBlock, PRIVATE_KEY_BEGINNING } from './private-keys.js';
import { matchesAt } from '../text/sticky-match.js';

/** The longest run of characters that is no key whose end has not come, in code units. */
const LONGEST_SHORT_RUN = 512;

/** What no key, and nothing that is encoded, has in it. */
const SPACE = /\s/;

/**
 * Where a key may begin that the text does not end: a block of a private key, or a run without white space that reaches up to the end.
 *
 * @param from where to begin to look
 * @returns undefined where there is none
 */
export function openKeyStart(text: string, from: number): number | undefined {
  for (let block = text.indexOf(PRIVATE_KEY_BEGINNING, from); block !== -1;) {
    if (matchesAt(FIRST_LINE, text, block) && isOpenBlock(text, block)) return block;
    block = text.indexOf(PRIVATE_KEY_BEGINNING, block + 1);
  }
  let start = text.length;
  while (start > from && !SPACE.test(text.charAt(start - 1))) start -= 1;
  return text.length - start > LONGEST_SHORT_RUN ? start : undefined;
}
