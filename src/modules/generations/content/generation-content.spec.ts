import { BoundedText } from './bounded-text.js';
import { boundedInput, boundedText, MAXIMUM_CONTENT_BYTES } from './generation-content.js';

const message = (content: string): object => ({ role: 'user', content });

/** The bytes of a message as JSON, besides its content. */
const FRAME = Buffer.byteLength(JSON.stringify(message('')));

describe('boundedInput', () => {
  it.each([
    ['all messages that fit', 2 * (FRAME + 3), ['one', 'two']],
    ['the latest that fit together', 2 * (FRAME + 3) - 1, ['two']],
    ['none where the latest does not fit', FRAME + 2, []],
  ])('keeps %s', (_, maximum, contents) => {
    const messages = [message('one'), message('two')];
    expect(boundedInput({ messages }, maximum)).toEqual({ messages: contents.map(message) });
  });

  it('keeps no earlier message that would fit behind one that does not', () => {
    const messages = [message('a'), message('b'.repeat(100)), message('c')];
    expect(boundedInput({ messages }, 2 * (FRAME + 1))).toEqual({ messages: [message('c')] });
  });

  it('keeps the beginning of a prompt', () => {
    expect(boundedInput({ prompt: 'abc' }, 2)).toEqual({ prompt: 'ab' });
  });
});

describe('boundedText', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abc', 2, 'ab'],
    ['aé', 2, 'a'],
    ['a😀b', 4, 'a'],
    ['a😀b', 5, 'a😀'],
    ['😀', 3, ''],
  ])('cuts %s to %i bytes between characters', (text, maximum, expected) => {
    expect(boundedText(text, maximum)).toBe(expected);
  });
});

describe('a text that comes in parts', () => {
  it('is null without a part, and otherwise all of them together', () => {
    const text = new BoundedText();
    text.add(null);
    text.add('');
    expect(text.text).toBeNull();
    text.add('All ');
    text.add('is well.');
    expect(text.text).toBe('All is well.');
  });

  it('ends where a part does not fit, whatever comes behind', () => {
    const text = new BoundedText();
    text.add('x'.repeat(MAXIMUM_CONTENT_BYTES - 1));
    text.add('é');
    text.add('y');
    expect(text.text).toBe('x'.repeat(MAXIMUM_CONTENT_BYTES - 1));
  });
});
