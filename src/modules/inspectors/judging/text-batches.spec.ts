import { batchesOf, withChanges } from './text-batches.js';

const shown = (texts: readonly string[], most: { texts: number; characters: number }): string[][] =>
  batchesOf(texts, most).map((batch) => batch.map(({ text }) => text));

describe('texts in batches', () => {
  it('are one batch where a request takes all, without those of white space', () => {
    expect(shown(['one', ' \n', 'two'], { texts: Infinity, characters: Infinity })).toEqual([['one', 'two']]);
    expect(shown(['', ' '], { texts: Infinity, characters: Infinity })).toEqual([]);
  });

  it('are divided between words where a request takes short ones, and few of them', () => {
    expect(shown(['one two three', 'x'], { texts: 2, characters: 8 })).toEqual([['one two ', 'three'], ['x']]);
    expect(shown(['a', 'b', 'c'], { texts: 1, characters: 8 })).toEqual([['a'], ['b'], ['c']]);
  });

  it('have changes where the pieces were, in whatever order these come', () => {
    const texts = ['one two three', 'same', 'x'];
    const [first, second] = batchesOf(texts, { texts: 2, characters: 8 });
    const changes = [
      { piece: second![1]!, text: 'why' },
      { piece: first![1]!, text: 'THREE' },
      { piece: first![0]!, text: '' },
    ];
    expect(withChanges(texts, changes)).toEqual(['THREE', 'same', 'why']);
    expect(withChanges(texts, [])).toEqual(texts);
  });
});
