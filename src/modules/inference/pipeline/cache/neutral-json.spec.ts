import { MESSAGES_FIELDS } from '../../../codecs/chat/messages-fields.js';
import { neutralJson, readNeutral } from './neutral-json.js';

describe('the JSON of a neutral answer', () => {
  it('is read back as it was, with the fields of the Messages form', () => {
    const value = {
      text: 'a',
      list: [1, null, { [MESSAGES_FIELDS]: { stop_sequence: 'x' }, index: 0 }],
      none: undefined,
    };

    const read = readNeutral(JSON.parse(neutralJson(value, 1_000)!)) as typeof value;

    expect(read).toEqual({ text: 'a', list: [1, null, { index: 0, [MESSAGES_FIELDS]: { stop_sequence: 'x' } }] });
    expect((read.list[2] as Record<symbol, unknown>)[MESSAGES_FIELDS]).toEqual({ stop_sequence: 'x' });
  });

  it.each([
    ['is too long', { text: 'x'.repeat(100) }],
    ['has a field that begins with a NUL', { '\0messages': {} }],
    ['has bytes', { file: Buffer.from('x') }],
    ['has an object of a class', { file: new Map() }],
    ['has a number that JSON has not', { at: Number.NaN }],
  ])('is not made of what %s', (_, value) => {
    expect(neutralJson(value, 50)).toBeUndefined();
  });
});
