import { TextPart } from './text-part.js';
import { WordRoom } from './words.js';

describe('TextPart', () => {
  const wordsOf = (text: string, from = 0, to = text.length, room?: WordRoom): string[] => {
    const { starts, ends } = new TextPart(text, from, to, room).words;
    return Array.from(starts, (start, index) => text.slice(start, ends[index]));
  };

  it('finds words of letters and digits of the alphabets that filters know', () => {
    expect(wordsOf('Ask Zoë, Иван (b2b) 7x_y\u{1f600}9 ')).toEqual(['Ask', 'Zoë', 'Иван', 'b2b', '7x', 'y', '9']);
    expect(wordsOf('')).toEqual([]);
    expect(wordsOf('..')).toEqual([]);
    expect(wordsOf('a')).toEqual(['a']);
  });

  it('tells where words begin with a digit, and where their digits end', () => {
    const { numbers, digitEnds } = new TextPart('1 a2 33b, 4', 0, 11).words;
    expect([Array.from(numbers), Array.from(digitEnds)]).toEqual([
      [0, 5, 10],
      [1, 7, 11],
    ]);
  });

  it('follows digits beyond the part', () => {
    const { numbers, digitEnds } = new TextPart('1 234567 8', 0, 4).words;
    expect([Array.from(numbers), Array.from(digitEnds)]).toEqual([
      [0, 2],
      [1, 8],
    ]);
  });

  it('tells where marks stand, also at the end of a word, but lines only where they are repeated', () => {
    const text = '-a-b <c> [d](e) {f}=#-- ===';
    const { marks } = new TextPart(text, 2, text.length).words;
    expect(Array.from(marks, (mark) => text.slice(mark, mark + 2))).toEqual([
      '<c',
      '[d',
      '(e',
      '{f',
      '#-',
      '--',
      '==',
      '==',
    ]);
  });

  it('tells where colons stand', () => {
    expect(Array.from(new TextPart(':a:: b:1 :', 1, 9).words.colons)).toEqual([2, 3, 6]);
  });

  it('writes the words of one part after the other to the same room', () => {
    const room = new WordRoom(4);
    const found = [0, 4, 8].map((from) => wordsOf('1a:b cd [ef ', from, from + 4, room));
    expect(found).toEqual([['1a', 'b'], ['cd'], ['ef']]);
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

  it('tells whether everything is ASCII, also between words and in a word that reaches into the part', () => {
    const isAsciiThroughout = (text: string, from = 0, to = text.length): boolean =>
      new TextPart(text, from, to).words.isAsciiThroughout;

    expect([isAsciiThroughout('plain words, 1\n'), isAsciiThroughout('')]).toEqual([true, true]);
    expect(['a\u200bb', 'na\u00efve', '\uff41', 'a \u{e0041}'].map((text) => isAsciiThroughout(text))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([isAsciiThroughout('xa\u00e9b cd', 1), isAsciiThroughout('\u200b cd \u200b', 1, 5)]).toEqual([false, true]);
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
