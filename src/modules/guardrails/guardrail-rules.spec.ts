import { eachBuiltinOnce, limitWithInterval } from './guardrail-rules.js';

describe('limitWithInterval', () => {
  it.each([
    {},
    { limit_usd: null, reset_interval: null },
    { limit_usd: null },
    { reset_interval: null },
    { limit_usd: 0, reset_interval: 'daily' },
    { limit_usd: 5, reset_interval: 'monthly' },
  ])('takes %j', (body) => {
    expect(limitWithInterval(body)).toEqual([]);
  });

  it.each([
    [{ limit_usd: 5 }, 'reset_interval', 'limit_usd'],
    [{ limit_usd: 0 }, 'reset_interval', 'limit_usd'],
    [{ limit_usd: 5, reset_interval: null }, 'reset_interval', 'limit_usd'],
    [{ reset_interval: 'daily' }, 'limit_usd', 'reset_interval'],
    [{ limit_usd: null, reset_interval: 'daily' }, 'limit_usd', 'reset_interval'],
  ])('finds what %j lacks', (body, path, other) => {
    expect(limitWithInterval(body)).toEqual([
      { path, message: `must be given together with ${other}`, reason: 'limit_without_interval' },
    ]);
  });

  it('leaves other types to the schema', () => {
    expect(limitWithInterval({ limit_usd: 'x', reset_interval: {} })).toEqual([]);
  });
});

describe('eachBuiltinOnce', () => {
  it('takes different slugs', () => {
    expect(eachBuiltinOnce({ content_filter_builtins: [{ slug: 'email' }, { slug: 'ssn' }] })).toEqual([]);
  });

  it('names every repetition', () => {
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

  it('counts unknown slugs as well, and leaves their being unknown to the schema', () => {
    const body = { content_filter_builtins: [{ slug: 'iban' }, { slug: 'iban' }] };

    expect(eachBuiltinOnce(body).map(({ path }) => path)).toEqual(['content_filter_builtins[1].slug']);
  });

  it.each([undefined, null, 'email', { 0: { slug: 'email' } }, [], [null, 'email', 1, ['email'], ['email']], [{}, {}]])(
    'expects a list of any type: %j',
    (list) => {
      expect(eachBuiltinOnce({ content_filter_builtins: list })).toEqual([]);
    },
  );

  it('does not take slugs of another type for repetitions', () => {
    const body = { content_filter_builtins: [{ slug: 1 }, { slug: 1 }, { slug: null }, { slug: null }] };

    expect(eachBuiltinOnce(body)).toEqual([]);
  });
});
