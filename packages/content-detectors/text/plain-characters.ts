import { READ_BEHIND, type Words } from './words.js';

interface PartWithWords {
  readonly text: string;
  readonly from: number;
  /** The end, excluded. */
  readonly to: number;
  readonly words: Words;
}

/** A stretch of a text in plain characters, and where in the text it begins. */
interface PlainStretch {
  readonly text: string;
  readonly start: number;
}

/** How far beyond a part its matches reach, in code units. */
const REACH = 512;

/** The first digits of further alphabets: Arabic, Persian, Devanagari, Bengali, Thai and full-width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

/** Full-width characters from the exclamation mark to the tilde, in the order of ASCII. */
const FULL_WIDTH = 0xfee0;
const FIRST_FULL_WIDTH = 0xff01;

const OTHER_DIGITS = ZEROS.map((zero) => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('');
const DASHES = '\u2010-\u2015\u2212\ufe58\ufe63\uff0d';
const SPACES = '\u00a0\u2002-\u200a\u202f\u3000';

const OTHER = new RegExp(`[${OTHER_DIGITS}\uff20]|\\d[${DASHES}${SPACES}]\\d`);
const REPLACED = new RegExp(`[${OTHER_DIGITS}\uff01-\uff5e]`, 'g');
const DASH_BETWEEN_DIGITS = new RegExp(`(?<=[\\d)])[${DASHES}](?=\\d)`, 'g');
const SPACE_BETWEEN_DIGITS = new RegExp(`(?<=[\\d)])[${SPACES}](?=[\\d(])`, 'g');
const SEPARATOR = new RegExp(`[${DASHES}${SPACES}]`);

/** The bits that typographic marks, such as dashes and quotation marks, do not have. */
const BITS_OF_OTHERS = 0xdf00;

const LAST_ASCII = 0x7f;

/**
 * A part of a text, with what stands around it, in which digits of other alphabets, full-width characters, and dashes and spaces of all
 * kinds between digits are those of ASCII (docs/interface/content-filters.md#builtin-filters). Each of them is one code unit, so lengths stay.
 *
 * @returns undefined for nearly all parts, which have none of these
 */
export function inPlainCharacters(part: PartWithWords): PlainStretch | undefined {
  if (!mayHoldOthers(part)) return undefined;
  const start = Math.max(0, part.from - REACH);
  const text = part.text
    .slice(start, part.to + REACH)
    .replace(REPLACED, plainCharacter)
    .replace(DASH_BETWEEN_DIGITS, '-')
    .replace(SPACE_BETWEEN_DIGITS, ' ');
  return { text, start };
}

/** Reads the text only if it has more than typographic marks, and otherwise only after its numbers. */
function mayHoldOthers({ text, from, to, words }: PartWithWords): boolean {
  const { isAsciiThroughout, otherBits, digitEnds, codes } = words;
  let bits = otherBits;
  // A number may begin in the part and continue after it.
  for (let index = to - from; index < to - from + READ_BEHIND; index += 1) bits |= codes[index]!;
  if (isAsciiThroughout && bits <= LAST_ASCII) return false;
  if ((bits & BITS_OF_OTHERS) !== 0) return OTHER.test(text.slice(from, to + READ_BEHIND));
  for (const end of digitEnds) {
    const code = codes[end - from]!;
    if (code > LAST_ASCII && SEPARATOR.test(String.fromCharCode(code))) return true;
  }
  return false;
}

function plainCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const zero = ZEROS.find((first) => code >= first && code <= first + 9);
  if (zero !== undefined) return String(code - zero);
  return code >= FIRST_FULL_WIDTH ? String.fromCharCode(code - FULL_WIDTH) : character;
}
