import { TextPart } from './text-part.js';

describe('TextPart', () => {
  const wordsOf = (text: string, from = 0, to = text.length): string[] => {
    const { starts, ends } = new TextPart(text, from, to).words;
    return Array.from(starts, (start, index) => text.slice(start, ends[index]));
  };

  it('finds words of letters and digits of the alphabets that filters know', () => {
    expect(wordsOf('Ask Zoë, Иван (b2b) 7x_y\u{1f600}9 ')).toEqual(['Ask', 'Zoë', 'Иван', 'b2b', '7x', 'y', '9']);
    expect(wordsOf('')).toEqual([]);
    expect(wordsOf('..')).toEqual([]);
    expect(wordsOf('a')).toEqual(['a']);
  });

  it('tells where words begin with a digit', () => {
    expect(Array.from(new TextPart('1 a2 33b, 4', 0, 11).words.numbers)).toEqual([0, 5, 10]);
  });

  it('tells where marks stand, also at the end of a word', () => {
    expect(Array.from(new TextPart('-a-b <c> [d](e) {f}=#', 2, 21).words.marks)).toEqual([2, 5, 9, 12, 16, 19, 20]);
  });

  it('tells whether all letters are those of ASCII, also of words that reach into the part or beyond it', () => {
    const isAscii = (text: string, from = 0, to = text.length): boolean => new TextPart(text, from, to).words.isAscii;

    expect([isAscii('plain words, 1 \u{1f600} €'), isAscii('naïve words'), isAscii('Иван')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([isAscii('éab cd', 1), isAscii('éab cd', 2), isAscii('ab cdé', 0, 5)]).toEqual([false, true, false]);
  });

  it('gives each word to the part in which it begins, whole', () => {
    const text = 'alpha beta gamma';
    for (let border = 0; border <= text.length; border += 1) {
      expect([...wordsOf(text, 0, border), ...wordsOf(text, border)]).toEqual(['alpha', 'beta', 'gamma']);
    }
  });

  it('follows a word no further than filters look, so that a part takes bounded time', () => {
    const { starts, ends } = new TextPart('a'.repeat(1_000), 0, 10).words;

    expect([Array.from(starts), Array.from(ends)]).toEqual([[0], [64]]);
  });

  it('finds a text that begins in the part, and none beyond it', () => {
    const part = new TextPart('..--BEGIN--BEGIN', 2, 8);

    expect(part.indexOf('--BEGIN', 2)).toBe(2);
    expect(part.indexOf('--BEGIN', 3)).toBe(-1);
    expect(new TextPart('..--BEGIN--BEGIN', 2, 10).indexOf('--BEGIN', 3)).toBe(9);
  });
});
