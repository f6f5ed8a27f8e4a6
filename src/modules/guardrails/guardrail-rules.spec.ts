import { eachBuiltinOnce, limitWithInterval, linearTimePatterns } from './guardrail-rules.js';

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

describe('linearTimePatterns', () => {
  const filtersOf = (...patterns: unknown[]): { content_filters: object[] } => ({
    content_filters: patterns.map((pattern) => ({ pattern })),
  });

  it.each(['a', '(a+)+$', '(?i)(?:x|y){2,5}', '\\p{Greek}', '\u{1f512}'])('takes %s', async (pattern) => {
    expect(await linearTimePatterns(filtersOf(pattern))).toEqual([]);
  });

  it.each(['(?=a)', '(?!a)', '(?<=a)', '(?<!a)', '(a)\\1', '(?P<x>a)\\k<x>', '(', '[', '*', 'a{1001}'])(
    'refuses %s',
    async (pattern) => {
      expect(await linearTimePatterns(filtersOf(pattern))).toEqual([
        {
          path: 'content_filters[0].pattern',
          message: expect.stringContaining('linear time') as unknown,
          reason: 'invalid_regex_pattern',
        },
      ]);
    },
  );

  it('names every pattern, by its own place', async () => {
    const issues = await linearTimePatterns(filtersOf('(', 'a', 1, '[', null, '(?=a)'));

    expect(issues.map(({ path }) => path)).toEqual([0, 3, 5].map((index) => `content_filters[${index}].pattern`));
  });

  it('finds the same in patterns so long that they are compiled aside', async () => {
    const issues = await linearTimePatterns(filtersOf('a'.repeat(100_000), '(', 'b', `(?=${'a'.repeat(5_000)})`));

    expect(issues.map(({ path }) => path)).toEqual([1, 3].map((index) => `content_filters[${index}].pattern`));
    expect(issues.map(({ reason }) => reason)).toEqual(['invalid_regex_pattern', 'invalid_regex_pattern']);
  });

  it.each([
    undefined,
    null,
    'x',
    {},
    [],
    [null, 'a', 1, ['(']],
    [{}],
    [{ pattern: '' }],
    [{ pattern: '('.repeat(200_001) }],
  ])('leaves to the schema what has another form', async (list) => {
    expect(await linearTimePatterns({ content_filters: list })).toEqual([]);
  });
});
