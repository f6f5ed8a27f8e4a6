import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { LongWork } from '../../../concurrency/long-work.js';
import { parsed } from './json-values.js';
import { removePrototypeFieldsInTurns } from './prototype-fields.js';

const TEXT = '{"a":[{"__proto__":{"tool_calls":5},"content":"x"}],"__proto__":{"b":1},"constructor":2}';

const WITHOUT = { a: [{ content: 'x' }], constructor: 2 };

describe('A document of a provider', () => {
  it.each([
    ['as they are', TEXT],
    ['with escaped letters', TEXT.replaceAll('__proto__', '\\u005F_pr\\u006fto__')],
  ])('is parsed without fields __proto__, written %s', (_how, text) => {
    const value = parsed(text) as { a: [object] };

    expect(value).toEqual(WITHOUT);
    expect([Object.keys(value), Object.keys(value.a[0])]).toEqual([['a', 'constructor'], ['content']]);
  });

  it('loses them in turns of the event loop if it is large', async () => {
    const value = JSON.parse(TEXT) as object;
    await removePrototypeFieldsInTurns(value, new LongWork(new LoopTurns(), 'organization'));

    expect(value).toEqual(WITHOUT);
    expect(Object.keys(value)).toEqual(['a', 'constructor']);
  });
});
