import type { LongWork } from '../../../../concurrency/long-work.js';

/** The characters of a text that are checked between two looks at the clock. */
const PORTION = 65_536;

/** The longest text in the alphabet for URLs that counts as readable: words and numbers with hyphens have the same characters. */
const LONGEST_WORD = 64;

/** Letters of the usual alphabet. */
const LETTERS = /[A-Za-z0-9+/]+/y;

/** Letters in lines of the lengths that programs write (64 to 76): words of a language are in shorter ones. */
const LINES = /(?:[A-Za-z0-9+/]{64,76}\r?\n)+|[A-Za-z0-9+/]{1,76}/y;

/** Letters of the alphabet for URLs. */
const LETTERS_OF_URLS = /[\w-]+/y;

/** The padding, and the last line break. */
const END = /={0,2}\r?\n?$/;

const LONGEST_END = 4;

/**
 * Whether a text is base64 from a position on, so that nobody can read it as it is: letters of one of its two alphabets, in one piece or in
 * lines, and padding. It is checked in place, in portions.
 *
 * @param work lets others use the event loop where the text is long
 * @throws the reason of the work's signal
 */
export async function isBase64(text: string, start: number, work: LongWork): Promise<boolean> {
  const tail = Math.max(start, text.length - LONGEST_END);
  const end = tail + END.exec(text.slice(tail))!.index;
  const lineBreak = text.indexOf('\n', start);
  if (lineBreak !== -1 && lineBreak < end) return isWritten(text, start, end, LINES, work);
  if (await isWritten(text, start, end, LETTERS, work)) return true;
  return end - start > LONGEST_WORD && (await isWritten(text, start, end, LETTERS_OF_URLS, work));
}

/** Whether a part of a text consists only of matches of a form. */
async function isWritten(text: string, start: number, end: number, form: RegExp, work: LongWork): Promise<boolean> {
  let position = start;
  while (position < end) {
    if (work.mustRest) await work.rest();
    const portion = text.slice(position, Math.min(end, position + PORTION));
    form.lastIndex = 0;
    if (!form.test(portion)) return false;
    position += form.lastIndex;
  }
  return true;
}
