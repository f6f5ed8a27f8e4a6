import { CLAUDE, type Served, translated, UNKNOWN } from './translation.fixture.js';

const GPT: Served = { model: 'openai/gpt-4.1', provider: 'openai' };
const KIMI: Served = { model: 'moonshotai/kimi-k2.6', provider: 'moonshotai' };

const toolsOf = (parameters: object): object => ({
  tools: [{ type: 'function', function: { name: 'look_up', parameters } }],
});

/** The properties of the parameters of a tool, as a provider gets them, and why they were changed. */
const propertiesTo = (served: Served, properties: object): { properties: unknown; reasons: string[] } => {
  const { body, adjustments } = translated(served, toolsOf({ type: 'object', properties }));
  const [tool] = body['tools'] as Record<string, Record<string, Record<string, unknown>>>[];
  const parameters = tool!['input_schema'] ?? tool!['function']!['parameters'];
  return { properties: parameters!['properties'], reasons: adjustments.map(({ reason }) => reason) };
};

describe('Parameters of tools in an older draft', () => {
  const OLDER = {
    ttl: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    pair: { type: 'array', items: [{ type: 'string' }, { type: 'number', minimum: 1, exclusiveMinimum: true }] },
    further: { type: 'array', items: [{ type: 'string' }], additionalItems: false },
  };

  it.each<[Served, object]>([
    [CLAUDE, {}],
    [KIMI, {}],
    [GPT, { items: {} }],
  ])('are written in the newest one for %j', (served, items) => {
    const { properties, reasons } = propertiesTo(served, OLDER);
    expect(properties).toEqual({
      ttl: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number', exclusiveMinimum: 1 }], ...items },
      further: { type: 'array', prefixItems: [{ type: 'string' }], items: false },
    });
    expect(new Set(reasons.filter((reason) => reason !== 'items_missing'))).toEqual(new Set(['keyword_translated']));
  });

  it('stay what they are for others, and so do those of the newest draft for all', () => {
    expect(propertiesTo(UNKNOWN, OLDER)).toEqual({ properties: OLDER, reasons: [] });
    const newest = {
      ttl: { type: 'integer', exclusiveMinimum: 0 },
      items: { type: 'object', properties: { items: { type: 'array', items: { type: 'string' } } } },
    };
    for (const served of [CLAUDE, GPT, KIMI]) {
      expect(propertiesTo(served, newest)).toEqual({ properties: newest, reasons: [] });
    }
  });
});

describe('Lists in parameters of tools', () => {
  const BARE = { tags: { type: 'array' }, either: { anyOf: [{ type: ['array', 'null'] }, { type: 'string' }] } };

  it('have items for OpenAI, which refuses lists without', () => {
    expect(propertiesTo(GPT, BARE)).toEqual({
      properties: {
        tags: { type: 'array', items: {} },
        either: { anyOf: [{ type: ['array', 'null'], items: {} }, { type: 'string' }] },
      },
      reasons: ['items_missing', 'items_missing'],
    });
  });

  it('have items with a type for Gemini', () => {
    const served = { model: 'google/gemini-3.1-pro-preview', provider: 'google-ai-studio' };
    const typed = { type: 'array', items: { $ref: '#/$defs/tag' } };
    const { properties } = propertiesTo(served, {
      ...BARE,
      any: { type: 'array', items: { description: 'A' } },
      typed,
    });
    expect(properties).toEqual({
      tags: { type: 'array', items: { type: 'string' } },
      either: { anyOf: [{ type: ['array', 'null'], items: { type: 'string' } }, { type: 'string' }] },
      any: { type: 'array', items: { type: 'string', description: 'A' } },
      typed,
    });
  });

  it.each<[Served]>([[CLAUDE], [UNKNOWN]])('stay what they are for %j', (served) => {
    expect(propertiesTo(served, BARE)).toEqual({ properties: BARE, reasons: [] });
  });
});

describe('Alternatives in parameters of tools', () => {
  const TYPED = {
    a: { type: 'string', description: 'Which', anyOf: [{ enum: ['x'] }, { type: 'string', format: 'date' }] },
    b: { type: 'array', items: { type: 'object', oneOf: [{ required: ['c'] }, { $ref: '#/$defs/d' }] } },
  };

  it('have their types within for Kimi, which refuses one beside them', () => {
    expect(propertiesTo(KIMI, TYPED)).toEqual({
      properties: {
        a: {
          description: 'Which',
          anyOf: [
            { type: 'string', enum: ['x'] },
            { type: 'string', format: 'date' },
          ],
        },
        b: { type: 'array', items: { oneOf: [{ type: 'object', required: ['c'] }, { $ref: '#/$defs/d' }] } },
      },
      reasons: ['type_in_alternatives', 'type_in_alternatives'],
    });
  });

  it('become one object at the root, where Kimi wants a type', () => {
    const one = { properties: { a: { type: 'string' } }, required: ['a'] };
    const other = { properties: { b: { type: 'string' } }, required: ['b'] };
    const { body } = translated(KIMI, toolsOf({ type: 'object', anyOf: [one, other] }));
    expect(body['tools']).toMatchObject([
      {
        function: {
          parameters: { type: 'object', properties: { a: {}, b: {} }, description: expect.any(String) as string },
        },
      },
    ]);
    expect(JSON.stringify(body['tools'])).not.toContain('"anyOf":[');
  });

  it('stay what they are for others', () => {
    for (const served of [CLAUDE, UNKNOWN]) expect(propertiesTo(served, TYPED).properties).toEqual(TYPED);
  });
});

describe('Tools of the same name', () => {
  const twice = { tools: ['a', 'b', 'a'].map((name) => ({ type: 'function', function: { name, parameters: {} } })) };

  it.each<[Served]>([[CLAUDE], [GPT], [KIMI], [{ model: 'deepseek/deepseek-v4-pro', provider: 'deepseek' }]])(
    'are offered once to %j, which refuses or confuses them',
    (served) => {
      const { body, adjustments } = translated(served, twice);
      expect(body['tools']).toHaveLength(2);
      expect(adjustments).toContainEqual({ path: 'tools.2', action: 'left_out', reason: 'name_repeated' });
    },
  );

  it('are all offered where nothing is known', () => {
    expect(translated(UNKNOWN, twice).body['tools']).toHaveLength(3);
  });
});
