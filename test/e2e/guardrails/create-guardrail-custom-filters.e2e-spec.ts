import { guardrailCreation, ASTRAL } from './guardrail-creation.js';

describe('createGuardrail', () => {
  const { app, organization, post, create, row, expectRefused } = guardrailCreation();

  describe('content_filters', () => {
    it.each(['redact', 'block', 'flag'])('answers 201 with a filter of the action %s', async (action) => {
      const guardrail = await create({ content_filters: [{ pattern: 'x', action }] });

      expect(guardrail.content_filters).toEqual([{ pattern: 'x', action }]);
      expect((await row(guardrail.id))['content_filters']).toEqual([{ pattern: 'x', action }]);
    });

    it('answers 201 with different bodies for an absent label, null and an empty one', async () => {
      const filters = [
        { pattern: 'a', action: 'flag' },
        { pattern: 'b', action: 'flag', label: null },
        { pattern: 'c', action: 'flag', label: '' },
        { pattern: 'd', action: 'flag', label: ASTRAL.repeat(100) },
      ];

      const guardrail = await create({ content_filters: filters });

      expect(guardrail.content_filters).toEqual(filters);
      expect((await row(guardrail.id))['content_filters']).toEqual(filters);
    });

    it('answers 201 with two filters of the same pattern', async () => {
      const filters = [
        { pattern: 'a', action: 'flag', label: 'one' },
        { pattern: 'a', action: 'block', label: 'other' },
      ];

      expect((await create({ content_filters: filters })).content_filters).toEqual(filters);
    });

    it.each([
      ['the classic of back-tracking', '(a+)+$'],
      ['nested quantifiers', '^(([a-z])+.)+[A-Z]([a-z])+$'],
      ['overlapping alternatives', '(a|aa)+$'],
      ['groups, classes and flags', '(?i)(?P<word>\\bsecret\\b)|(?:[^\\s]{2,5})'],
      ['properties of Unicode', '\\p{Greek}+\\d{3}'],
      ['a character outside the basic plane', ASTRAL],
      ['one character', '.'],
      ['100,000 characters', 'a'.repeat(100_000)],
      ['100,000 characters outside the basic plane', ASTRAL.repeat(100_000)],
    ])('answers 201 for %s as pattern', async (_, pattern) => {
      const guardrail = await create({ content_filters: [{ pattern, action: 'block' }] });

      expect(guardrail.content_filters).toEqual([{ pattern, action: 'block' }]);
      expect((await row(guardrail.id))['content_filters']).toEqual([{ pattern, action: 'block' }]);
    });

    it.each([
      ['looks ahead', 'a(?=b)'],
      ['looks ahead for what must not be', 'a(?!b)'],
      ['looks behind', '(?<=a)b'],
      ['looks behind for what must not be', '(?<!a)b'],
      ['refers back by number', '(a)\\1'],
      ['refers back by name', '(?P<x>a)\\k<x>'],
      ['is atomic', '(?>a+)b'],
      ['is possessive', 'a++'],
      ['opens a group alone', '('],
      ['closes a group alone', ')'],
      ['opens a class alone', '[a'],
      ['repeats nothing', '*'],
      ['repeats too often', 'a{1001}'],
      ['ends in a backslash', 'a\\'],
      ['repeats the other way round', 'a{2,1}'],
      ['ranges the other way round', '[z-a]'],
    ])('answers 400 for a pattern that %s', async (_, pattern) => {
      await expectRefused(
        {
          content_filters: [
            { pattern: 'fine', action: 'flag' },
            { pattern, action: 'flag' },
          ],
        },
        'invalid_regex_pattern',
        'content_filters[1].pattern',
      );
    });

    it('answers 400 and names every pattern that does not compile', async () => {
      const patterns = ['(', 'fine', '(?=a)', '[', '(a)\\1'];

      await expectRefused(
        { content_filters: patterns.map((pattern) => ({ pattern, action: 'flag' })) },
        'invalid_regex_pattern',
        ...[0, 2, 3, 4].map((index) => `content_filters[${index}].pattern`),
      );
    });

    it.each([
      ['groups within groups', `${'('.repeat(40_000)}a${')'.repeat(40_000)}`],
      ['groups that are not closed', '('.repeat(100_000)],
      ['alternatives', '|'.repeat(100_000)],
      ['repetitions of repetitions', `${'('.repeat(5)}a${'{1000})'.repeat(5)}`],
      ['stars of stars', `a${'*'.repeat(50_000)}`],
      ['classes', '[a-z]'.repeat(20_000)],
      ['counted classes of Unicode', '\\p{L}{1000}'.repeat(8_000)],
    ])('answers 201 or 400 to a pattern of very many %s, and answers 200 afterwards', async (_, pattern) => {
      const answer = await post({ name: 'Test', content_filters: [{ pattern, action: 'flag' }] });

      expect([201, 400]).toContain(answer.status);
      expect((await app.api.get('/guardrails?limit=1', { key: organization.managementKey })).status).toBe(200);
    });

    const faultyEntries: [name: string, entry: unknown, path: string][] = [
      ['an empty pattern', { pattern: '', action: 'flag' }, '.pattern'],
      ['a pattern of 100,001 characters', { pattern: 'a'.repeat(100_001), action: 'flag' }, '.pattern'],
      [
        'a pattern of 100,001 characters outside the basic plane',
        { pattern: ASTRAL.repeat(100_001), action: 'flag' },
        '.pattern',
      ],
      ['a pattern of null', { pattern: null, action: 'flag' }, '.pattern'],
      ['a pattern of a number', { pattern: 1, action: 'flag' }, '.pattern'],
      ['no pattern', { action: 'flag' }, '.pattern'],
      ['a pattern with NUL', { pattern: 'a\u0000', action: 'flag' }, '.pattern'],
      ['a pattern with a lone surrogate', { pattern: 'a\udc00', action: 'flag' }, '.pattern'],
      ['no action', { pattern: 'a' }, '.action'],
      ['an unknown action', { pattern: 'a', action: 'allow' }, '.action'],
      ['an action of null', { pattern: 'a', action: null }, '.action'],
      ['a label of 101 characters', { pattern: 'a', action: 'flag', label: 'x'.repeat(101) }, '.label'],
      [
        'a label of 101 characters outside the basic plane',
        { pattern: 'a', action: 'flag', label: ASTRAL.repeat(101) },
        '.label',
      ],
      ['a label of a number', { pattern: 'a', action: 'flag', label: 1 }, '.label'],
      ['an unknown field', { pattern: 'a', action: 'flag', flags: 'i' }, '.flags'],
      ['a string', 'a', ''],
      ['a list', ['a'], ''],
    ];

    it.each(faultyEntries)('answers 400 for %s', async (_, entry, path) => {
      await expectRefused({ content_filters: [entry] }, 'invalid_parameters', `content_filters[0]${path}`);
    });

    it('answers 201 for a thousand filters, and 400 that names every issue of each', async () => {
      const filters = Array.from({ length: 1_000 }, (_, index) => ({ pattern: `word-${index}`, action: 'flag' }));

      expect((await create({ content_filters: filters })).content_filters).toEqual(filters);
      await expectRefused(
        { content_filters: filters.map((filter) => ({ ...filter, action: 'x' })) },
        'invalid_parameters',
        ...filters.map((_, index) => `content_filters[${index}].action`),
      );
    });
  });
});
