import type { PatternReader } from './pattern-reader.js';

/** The meaning of an escape sequence. */
export type Escape =
  | { readonly kind: 'character'; readonly codePoint: number }
  /** `\d`, `\s`, `\w` and their opposites. */
  | { readonly kind: 'perl-class' }
  /** `\p` and `\P`. */
  | { readonly kind: 'unicode-class' }
  /** `\A`, `\b`, `\B` and `\z`, outside of character classes. */
  | { readonly kind: 'assertion'; readonly isTextStart: boolean }
  /** `\Q`: what follows up to `\E` is text, outside of character classes. */
  | { readonly kind: 'quotation' };

const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };

/**
 * Reads an escape sequence. One that RE2 does not support is read as the character after the backslash; the engine refuses
 * it later.
 *
 * @param reader at the backslash, and afterwards after the escape
 */
export function readEscape(reader: PatternReader): Escape {
  reader.take('\\');
  const codePoint = reader.next();
  if (codePoint === undefined) return { kind: 'character', codePoint: 0x5c };
  const letter = String.fromCodePoint(codePoint);
  if ('dDsSwW'.includes(letter)) return { kind: 'perl-class' };
  if ('pP'.includes(letter)) return readUnicodeClass(reader);
  if ('AbBz'.includes(letter)) return { kind: 'assertion', isTextStart: letter === 'A' };
  if (letter === 'Q') return { kind: 'quotation' };
  if (letter === 'x') return { kind: 'character', codePoint: readHexadecimal(reader) };
  if (letter >= '0' && letter <= '7') return { kind: 'character', codePoint: readOctal(reader, codePoint - 0x30) };
  return { kind: 'character', codePoint: CONTROLS[letter] ?? codePoint };
}

function readUnicodeClass(reader: PatternReader): Escape {
  if (reader.take('{')) reader.takeThrough('}');
  else reader.next();
  return { kind: 'unicode-class' };
}

/** `\x41` and `\x{1F512}`. */
function readHexadecimal(reader: PatternReader): number {
  const digits = reader.take('{') ? reader.takeThrough('}') : codePointsOf(reader, 2);
  return Math.min(Number.parseInt(digits, 16) || 0, 0x10ffff);
}

function codePointsOf(reader: PatternReader, count: number): string {
  const read: number[] = [];
  for (let codePoint; read.length < count && (codePoint = reader.next()) !== undefined;) read.push(codePoint);
  return String.fromCodePoint(...read);
}

function readOctal(reader: PatternReader, first: number): number {
  let value = first;
  for (let count = 1; count < 3 && /[0-7]/.test(reader.text.charAt(reader.position)); count += 1) {
    value = value * 8 + (reader.next()! - 0x30);
  }
  return value;
}
