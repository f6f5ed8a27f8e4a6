/** What people write where a secret would stand. */
const PLACEHOLDER =
  /example|placeholder|sample|dummy|redacted|your|x{4}|\*{3}|0{6}|1234567|abcdef[0-9]?g|abc123|deadbeef/i;

/** The fewest bits a character that a text has which was drawn at random, whatever its alphabet. */
const FEWEST_BITS = 2.75;

/**
 * Whether a text can have been drawn at random: its characters are spread widely enough (Shannon entropy), and it holds none
 * of the words that stand for a secret in examples.
 */
export function looksRandom(text: string): boolean {
  return bitsPerCharacter(text) >= FEWEST_BITS && !PLACEHOLDER.test(text);
}

/** Words of which made-up keys consist, and which a text of this alphabet that was drawn nearly never holds. */
const WORD_OF_KEYS = /fake|test|token|secret|mock|here|demo|invalid/i;

/**
 * The fewest changes between capital letters, small letters and digits for each character: in texts that were drawn some 0.6 of them if
 * they have letters of both cases, else 0.4. Words that are joined, or have numbers behind them, have fewer.
 */
const FEWEST_CHANGES_OF_MIXED = 0.4;
const FEWEST_CHANGES_OF_ONE_CASE = 0.25;

/**
 * Whether a text looks random, and has letters and digits in turns as only those do that a program has drawn. Where no name and no form
 * says that a text is a key, this keeps names, versions and words with numbers from being taken for one.
 */
export function looksDrawn(text: string): boolean {
  if (!looksRandom(text) || WORD_OF_KEYS.test(text) || !/[A-Za-z]\d+[A-Za-z]/.test(text)) return false;
  const characters = text.replace(/[^A-Za-z0-9]/g, '');
  const runs = characters.match(/[A-Z]+|[a-z]+|\d+/g) ?? [];
  const isMixed = /[A-Z]/.test(characters) && /[a-z]/.test(characters);
  const fewest = isMixed ? FEWEST_CHANGES_OF_MIXED : FEWEST_CHANGES_OF_ONE_CASE;
  return runs.length - 1 >= fewest * (characters.length - 1);
}

/** How much each character of a text says, in bits (Shannon entropy). */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
