import { parsed } from './json-values.js';

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
});
