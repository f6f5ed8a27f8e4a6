import { eachBuiltinOnce, limitWithInterval } from './guardrail-rules.js';

describe('limitWithInterval', () => {
  it.each([
    {},
    { limit_usd: null, reset_interval: null },
    { limit_usd: null },
    { reset_interval: null },
    { limit_usd: 0, reset_interval: 'daily' },
    { limit_usd: 5, reset_interval: 'monthly' },
  ])('accepts %j', (body) => {
    expect(limitWithInterval(body)).toEqual([]);
  });

  it.each([
    [{ limit_usd: 5 }, 'reset_interval', 'limit_usd'],
    [{ limit_usd: 0 }, 'reset_interval', 'limit_usd'],
    [{ limit_usd: 5, reset_interval: null }, 'reset_interval', 'limit_usd'],
    [{ reset_interval: 'daily' }, 'limit_usd', 'reset_interval'],
    [{ limit_usd: null, reset_interval: 'daily' }, 'limit_usd', 'reset_interval'],
  ])('reports the missing field of %j', (body, path, other) => {
    expect(limitWithInterval(body)).toEqual([
      { path, message: `must be given together with ${other}`, reason: 'limit_without_interval' },
    ]);
  });

  it('ignores values of other types, which the schema reports', () => {
    expect(limitWithInterval({ limit_usd: 'x', reset_interval: {} })).toEqual([]);
  });
});

describe('eachBuiltinOnce', () => {
  it('accepts different slugs', () => {
    expect(eachBuiltinOnce({ content_filter_builtins: [{ slug: 'email' }, { slug: 'ssn' }] })).toEqual([]);
  });

  it('reports every repetition', () => {
    const body = {
      content_filter_builtins: [{ slug: 'email' }, { slug: 'ssn' }, { slug: 'email' }, { slug: 'email' }],
    };

    expect(eachBuiltinOnce(body)).toEqual(
      [2, 3].map((index) => ({
        path: `content_filter_builtins[${index}].slug`,
        message: 'email is given more than once',
        reason: 'duplicate_builtin_filter',
      })),
    );
  });

  it('reports repeated unknown slugs too, and leaves unknown ones to the schema', () => {
    const body = { content_filter_builtins: [{ slug: 'iban' }, { slug: 'iban' }] };

    expect(eachBuiltinOnce(body).map(({ path }) => path)).toEqual(['content_filter_builtins[1].slug']);
  });

  it.each([undefined, null, 'email', { 0: { slug: 'email' } }, [], [null, 'email', 1, ['email'], ['email']], [{}, {}]])(
    'accepts a value of any type: %j',
    (list) => {
      expect(eachBuiltinOnce({ content_filter_builtins: list })).toEqual([]);
    },
  );

  it('ignores repeated values that are not strings', () => {
    const body = { content_filter_builtins: [{ slug: 1 }, { slug: 1 }, { slug: null }, { slug: null }] };

    expect(eachBuiltinOnce(body)).toEqual([]);
  });
});
