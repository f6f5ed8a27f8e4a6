import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { expectEnvelope, issuePaths } from '../../support/expectations/error-envelope.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** As many bytes as a body may have, less what stands around the items. */
const ROOM = 1024 * 1024 - 64;

/** What an answer may have at most: several times the request's 1 MiB is a service that helps to attack. */
const MAXIMUM_ANSWER = 4 * 1024 * 1024;

/** As many copies of an item, separated by commas, as a body has room for. */
function fill(item: string): string {
  return Array<string>(Math.floor(ROOM / (Buffer.byteLength(item) + 1)))
    .fill(item)
    .join(',');
}

/** Fields of an object, each with a name of its own. */
function uniqueFields(count: number): string {
  return Array.from({ length: count }, (_, index) => `"${index.toString(36)}":1`).join(',');
}

describe('large requests', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);

  beforeAll(() => app.factory.starterCatalog());

  const create = (raw: string): Promise<Answer<ErrorBody>> =>
    app.api.post('/guardrails', { key: organization.managementKey, raw });

  /** Sends what is refused, and measures the refusal. */
  const refusalOf = async (raw: string): Promise<ErrorBody> => {
    let envelope: ErrorBody | undefined;
    await expectNoSideEffects(app, async () => {
      const answer = await create(raw);
      envelope = expectEnvelope(answer, 400);
      expect(answer.text.length).toBeLessThan(MAXIMUM_ANSWER);
    });
    return envelope!;
  };

  it.each([
    ['of another type', '7', 'invalid_parameters'],
    ['that are no models', '"nobody/nothing"', 'unknown_model'],
    ['with a NUL character', '"\\u0000"', 'invalid_parameters'],
  ])('are answered 400 with every issue of 1,000 items %s', async (_name, item, reason) => {
    const items = Array<string>(1_000).fill(item).join(',');

    const envelope = await refusalOf(`{"name":"x","allowed_models":[${items}]}`);

    expect(envelope.error.metadata.reason).toBe(reason);
    expect(issuePaths(envelope)).toEqual(Array.from({ length: 1_000 }, (_, index) => `allowed_models[${index}]`));
  });

  it('are answered 400 with every issue of each field of 1,000 filters', async () => {
    const filters = Array<string>(1_000).fill('{"pattern":"","action":"burn"}').join(',');

    const paths = issuePaths(await refusalOf(`{"name":"x","content_filters":[${filters}]}`));

    expect(paths).toHaveLength(2_000);
    expect(paths).toContain('content_filters[999].pattern');
    expect(paths).toContain('content_filters[999].action');
  });

  it('are answered 201 with 1,000 valid items', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => `"${index % 2 ? 'OPENAI' : 'openai'}"`).join(',');

    const answer = await app.api.post<{ data: { id: string; allowed_providers: string[] } }>('/guardrails', {
      key: organization.managementKey,
      raw: `{"name":"x","allowed_providers":[${items}]}`,
    });

    expect(answer.status).toBe(201);
    expect(answer.body.data.allowed_providers).toEqual(['openai']);
  });

  it.each([
    ['numbers in a list', `{"name":"x","allowed_models":[${fill('1')}]}`],
    ['empty strings in a list', `{"name":"x","allowed_models":[${fill('""')}]}`],
    ['strings in a list', `{"name":"x","ignored_models":[${fill('"a/b"')}]}`],
    ['providers in a list', `{"name":"x","allowed_providers":[${fill('"a"')}]}`],
    ['nulls in a list', `{"name":"x","content_filters":[${fill('null')}]}`],
    ['NUL characters in a list', `{"name":"x","allowed_models":[${fill('"\\u0000"')}]}`],
    ['lone surrogates in a list', `{"name":"x","allowed_models":[${fill('"\\ud800"')}]}`],
    ['lists in a list', `{"name":"x","allowed_models":[${fill('[]')}]}`],
    ['objects in a list', `{"name":"x","content_filters":[${fill('{}')}]}`],
    ['equal builtins', `{"name":"x","content_filter_builtins":[${fill('{"slug":"email","action":"flag"}')}]}`],
    ['builtins without anything', `{"name":"x","content_filter_builtins":[${fill('{"slug":""}')}]}`],
    ['patterns that are none', `{"name":"x","content_filters":[${fill('{"pattern":"("}')}]}`],
    ['lists alone', `[${fill('[]')}]`],
    ['unknown fields', `{"name":"x",${uniqueFields(100_000)}}`],
    ['fewer unknown fields', `{"name":"x",${uniqueFields(49_000)}}`],
  ])('are answered 400 with a small body although they are as large as possible: %s', async (_name, raw) => {
    expect(Buffer.byteLength(raw)).toBeLessThanOrEqual(1024 * 1024);

    const envelope = await refusalOf(raw);

    expect(envelope.error.metadata.issues!.length).toBeLessThanOrEqual(20_000);
  });

  it('are answered 400 with the number of issues beyond those that are named', async () => {
    const items = Array<string>(20_500).fill('1').join(',');

    const { error } = await refusalOf(`{"name":"x","allowed_models":[${items}]}`);

    expect(error.metadata.issues).toHaveLength(20_000);
    expect(error.metadata).toMatchObject({ reason: 'invalid_parameters', omitted_issues: 501 });
  });

  it.each([
    ['lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['lists to the brim', '['.repeat(500_000) + ']'.repeat(500_000)],
    ['objects', '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
    ['lists and objects', '[{"a":'.repeat(80_000) + '1' + '}]'.repeat(80_000)],
  ])('are answered 400 when they are nested too deeply: %s', async (_name, nested) => {
    for (const raw of [nested, `{"name":"x","allowed_models":${nested}}`, `{"name":"x","surprise":${nested}}`]) {
      if (Buffer.byteLength(raw) > 1024 * 1024) continue;
      const { error } = await refusalOf(raw);
      expect(error.metadata.issues).toEqual([{ path: '', message: 'must not be nested deeper than 64 levels' }]);
    }
  });

  it('are answered 400 before they are parsed when they are nested too deeply', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    const envelopes: ErrorBody[] = [];
    const deepest = Buffer.from('['.repeat(500_000) + ']'.repeat(500_000));
    try {
      envelopes.push(await refusalOf(deepest.toString()));
      expect(parse.mock.calls.filter(([text]) => text.startsWith('[[[['))).toEqual([]);
    } finally {
      parse.mockRestore();
    }
    expect(envelopes[0]!.error.metadata.reason).toBe('invalid_parameters');
  });

  it('are answered 200 with 64 levels where any field is allowed, and 400 beyond', async () => {
    const send = (levels: number): Promise<Answer<ErrorBody>> =>
      app.api.post(`/presets/deep-${levels}/chat/completions`, {
        key: organization.managementKey,
        raw: `{"model":"openai/gpt-5.4","deep":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`,
      });

    expect((await send(64)).status).toBe(200);
    expect(expectEnvelope(await send(65), 400).error.metadata.issues).toEqual([
      { path: '', message: 'must not be nested deeper than 64 levels' },
    ]);
  });

  it('are answered 400 without being parsed beyond 50,000 values', async () => {
    const listOf = (count: number): string => `{"name":"x","surprise":[${Array<string>(count).fill('0').join(',')}]}`;

    // The body itself, its name, the list and what is in it.
    expect(issuePaths(await refusalOf(listOf(50_000 - 3)))).toEqual(['surprise']);
    expect((await refusalOf(listOf(50_000 - 2))).error.metadata).toEqual({
      reason: 'invalid_parameters',
      issues: [{ path: '', message: 'must not hold more than 50000 values' }],
    });
  });

  it('are answered 400 without repeating long field names in each issue', async () => {
    const name = 'a'.repeat(400_000);
    const faults = Array<string>(40_000).fill('"\\u0000"').join(',');

    const { error } = await refusalOf(`{"name":"x","${name}":[${faults}]}`);

    expect(error.metadata).toMatchObject({ omitted_issues: expect.any(Number) });
  });

  describe('with large patterns', () => {
    const pattern = (text: string): string =>
      JSON.stringify({ name: 'pattern', content_filters: [{ pattern: text, action: 'flag' }] });

    it.each([
      ['back-tracks exponentially elsewhere', '(a+)+$'],
      ['back-tracks in alternatives', '(a|aa)+$'],
      ['back-tracks in a star of stars', '(.*)*(.*)*(.*)*x'],
      ['back-tracks over white space', '(\\s*\\s*)*$'],
      ['repeats a little', '(x{1,100}){1,9}'],
      ['is 100,000 characters of text', 'a'.repeat(100_000)],
      ['is 100,000 code points outside the basic plane', '\u{1F9EA}'.repeat(100_000)],
    ])('are answered 201 for a pattern that %s, matched in linear time', async (_name, text) => {
      const answer = await create(pattern(text));

      expect(answer.status).toBe(201);
      const rows = await app.rows(`SELECT 1 FROM guardrails WHERE content_filters -> 0 ->> 'pattern' = $1`, [text]);
      expect(rows).toHaveLength(1);
    });

    it.each([
      ['a look-ahead', '(?=a)b'],
      ['a negative look-behind', '(?<!a)b'],
      ['a back-reference', '(a)\\1'],
      ['a named back-reference', '(?<x>a)\\k<x>'],
      ['an atomic group', '(?>a)'],
      ['a possessive quantifier', 'a*+'],
      ['a recursion', '(?R)'],
      ['a condition', '(?(1)a|b)'],
      ['a parenthesis that is not closed', '('],
      ['a bracket that is not closed', '[a'],
      ['nothing to repeat', '*'],
      ['a repetition that is too large', 'a{1001}'],
      ['a range the wrong way round', '[z-a]'],
      ['an escape at the end', 'a\\'],
    ])('are answered 400 for %s', async (_name, text) => {
      const { error } = await refusalOf(pattern(text));

      expect(error.metadata.reason).toBe('invalid_regex_pattern');
      expect(error.metadata.issues!.map(({ path }) => path)).toEqual(['content_filters[0].pattern']);
    });

    it.each([
      ['a product of repetitions that is too large', '((a{100}){100}){100}', 'pattern_too_large'],
      ['repetitions that come to 14,000,000 characters', 'x{1000}'.repeat(14_000), 'pattern_too_large'],
      ['100,000 brackets', '['.repeat(100_000), 'invalid_regex_pattern'],
      ['100,000 stars', '*'.repeat(100_000), 'pattern_too_large'],
      ['100,000 parentheses', '('.repeat(100_000), 'pattern_nested_too_deep'],
      ['50,000 nested groups', '('.repeat(50_000) + ')'.repeat(50_000), 'pattern_nested_too_deep'],
    ])('are answered 400 with their reason for %s', async (_name, text, reason) => {
      const { error } = await refusalOf(pattern(text));

      expect(error.metadata).toMatchObject({ reason, issues: [{ path: 'content_filters[0].pattern' }] });
    });

    it('are answered 400 for one character more than 100,000', async () => {
      const { error } = await refusalOf(pattern('\u{1F9EA}'.repeat(100_001)));

      expect(error.metadata.issues).toEqual([
        { path: 'content_filters[0].pattern', message: 'must NOT have more than 100000 characters' },
      ]);
    });
  });
});
