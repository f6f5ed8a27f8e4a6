/** Words that readers and models recognize when they are not as spelled. Each phrase that is looked for in such writing has one of them. */
export const KNOWN_WORDS: ReadonlySet<string> = new Set(
  (
    'ignore bypass override reveal delete system prompt instructions previous instruction disregard forget disable safety filters ' +
    'restrictions guidelines developer enable above your prior rules everything hidden'
  ).split(' '),
);

/** What people write in chats, and the words that they mean. */
export const CHAT_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ur: 'your',
    yr: 'your',
    yur: 'your',
    u: 'you',
    n: 'and',
    teh: 'the',
    al: 'all',
    evry: 'every',
    wat: 'what',
  }),
);

/** Digits, and the letters they stand for. */
export const LETTERS_OF_DIGITS: ReadonlyMap<string, string> = new Map(
  Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }),
);

/** Signs, and the letters they stand for most. */
const LETTERS_OF_SIGNS: ReadonlyMap<string, string> = new Map(Object.entries({ '@': 'a', $: 's', '!': 'i', '|': 'l' }));

/** What also stands for another letter, and that letter. */
const OTHER_LETTERS: ReadonlyMap<string, string> = new Map(Object.entries({ 1: 'l', '!': 'l', '|': 'i' }));

/** Whether readers take something in small letters, with digits and signs, for a word. */
export function isReadAs(written: string, word: string): boolean {
  return (
    written.length === word.length &&
    Array.from(written).every(
      (character, index) =>
        character === word[index] ||
        letterFor(character) === word[index] ||
        OTHER_LETTERS.get(character) === word[index],
    )
  );
}

/** Writes letters for the digits that stand for some. */
export function withoutDigits(word: string): string {
  return word.replace(/\d/g, letterFor);
}

/** The letter that a digit or a sign stands for; any other character itself. */
export function letterFor(character: string): string {
  return LETTERS_OF_DIGITS.get(character) ?? LETTERS_OF_SIGNS.get(character) ?? character;
}
