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

/** How much each character of a text says, in bits (Shannon entropy). */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}
