import { RequestTooComplex } from '../../../http/errors/request.errors.js';
import { adjustmentsOf, CLAUDE, GPT, type Served, translated } from './translation.fixture.js';

const format = (schema: object, strict?: boolean): object => ({
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema, ...(strict !== undefined && { strict }) } },
});

function schemaTo(served: Served, schema: object, strict = true): unknown {
  const { body } = translated(served, format(schema, strict));
  const config = body['output_config'] as { format: { schema: object } } | undefined;
  const own = body['response_format'] as { json_schema: { schema: object } } | undefined;
  return config?.format.schema ?? own?.json_schema.schema;
}

const TEXT = { type: 'string' };

describe('A schema of an answer of Claude', () => {
  it('has no keywords that are refused, but their words in the description', () => {
    const schema = {
      type: 'object',
      properties: {
        score: { type: 'integer', minimum: 1, maximum: 10 },
        tags: {
          type: 'array',
          items: { type: 'string', minLength: 1, maxLength: 20 },
          minItems: 2,
          maxItems: 5,
          description: 'Tags',
        },
        few: { type: 'array', items: TEXT, minItems: 1 },
        when: { type: 'string', format: 'date-time' },
        phone: { type: 'string', format: 'phone', pattern: '^1' },
      },
      required: ['score', 'tags'],
      additionalProperties: false,
    };

    expect(schemaTo(CLAUDE, schema)).toEqual({
      type: 'object',
      properties: {
        score: { type: 'integer', description: '{minimum: 1, maximum: 10}' },
        tags: {
          type: 'array',
          items: { type: 'string', description: '{minLength: 1, maxLength: 20}' },
          description: 'Tags\n\n{minItems: 2, maxItems: 5}',
        },
        few: { type: 'array', items: TEXT, minItems: 1 },
        when: { type: 'string', format: 'date-time' },
        phone: { type: 'string', description: '{format: "phone", pattern: "^1"}' },
      },
      required: ['score', 'tags'],
      additionalProperties: false,
    });
  });

  it('has closed objects, in whatever place, whether it is strict or not', () => {
    const object = { type: 'object', properties: { b: TEXT } };
    const closed = { ...object, additionalProperties: false };
    const schema = {
      properties: {
        a: object,
        list: { type: 'array', items: object },
        any: { anyOf: [object, { type: 'null' }] },
        all: { allOf: [object] },
        ref: { $ref: '#/$defs/x' },
      },
      $defs: { x: object },
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    };

    for (const strict of [true, false]) {
      expect(schemaTo(CLAUDE, schema, strict)).toEqual({
        type: 'object',
        properties: {
          a: closed,
          list: { type: 'array', items: closed },
          any: { anyOf: [closed, { type: 'null' }] },
          all: { allOf: [closed] },
          ref: { $ref: '#/$defs/x' },
        },
        $defs: { x: closed },
        additionalProperties: false,
      });
    }
  });

  it.each<[string, object, object]>([
    ['oneOf as anyOf', { oneOf: [TEXT, { type: 'null' }] }, { anyOf: [TEXT, { type: 'null' }] }],
    [
      'definitions by their newer name',
      { $ref: '#/definitions/x', definitions: { x: TEXT } },
      { $ref: '#/$defs/x', $defs: { x: TEXT } },
    ],
    [
      'nothing beside a reference',
      { $ref: '#/$defs/x', description: 'An x', default: 1 },
      { $ref: '#/$defs/x', description: 'An x\n\n{default: 1}' },
    ],
    [
      'alternatives for several types',
      { type: ['object', 'null'], properties: { b: TEXT } },
      { anyOf: [{ type: 'object', properties: { b: TEXT }, additionalProperties: false }, { type: 'null' }] },
    ],
    [
      'no alternatives for one type that is repeated',
      { type: ['object', 'object'], properties: { b: TEXT } },
      { type: 'object', properties: { b: TEXT }, additionalProperties: false },
    ],
    [
      'what stands beside several types in each alternative that it is about',
      { type: ['object', 'array'], properties: { b: TEXT }, items: TEXT, anyOf: [TEXT] },
      {
        anyOf: [
          { type: 'object', properties: { b: TEXT }, anyOf: [TEXT], additionalProperties: false },
          { type: 'array', items: TEXT, anyOf: [TEXT] },
        ],
      },
    ],
    ['several plain types', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['constants', { const: 'x' }, { const: 'x' }],
    ['choices of plain values', { enum: ['x', 1, null] }, { enum: ['x', 1, null] }],
    [
      'properties that have the names of keywords',
      { type: 'object', properties: { minimum: { type: 'integer' }, __proto__x: TEXT } },
      { type: 'object', properties: { minimum: { type: 'integer' }, __proto__x: TEXT }, additionalProperties: false },
    ],
  ])('has %s', (_what, part, expected) => {
    const schema = { type: 'object', properties: { a: part }, required: ['a'], additionalProperties: false };
    expect(schemaTo(CLAUDE, schema)).toEqual({ ...schema, properties: { a: expected } });
  });

  it('is refused where its alternatives would repeat each other many times', () => {
    const ofDepth = (depth: number): object =>
      depth === 0 ? TEXT : { type: ['object', 'array'], anyOf: [ofDepth(depth - 1)] };
    expect(JSON.stringify(schemaTo(CLAUDE, ofDepth(6))).length).toBeGreaterThan(1_000);
    expect(() => schemaTo(CLAUDE, ofDepth(20))).toThrow(RequestTooComplex);
  });

  it('names what is left out, without names that may be content', () => {
    const schema = {
      type: 'object',
      properties: { 'jane@example.com': { type: 'integer', minimum: 1 } },
      additionalProperties: false,
    };
    expect(adjustmentsOf(translated(CLAUDE, format(schema)))).toEqual([
      'response_format.json_schema.schema.properties.*.minimum: keyword_not_supported',
    ]);
  });
});

describe('A strict schema for OpenAI', () => {
  it('has all properties required and objects closed, and no keywords that are refused', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string', minLength: 1 },
        b: { type: 'integer', minimum: 1 },
        c: { type: 'object', properties: { d: TEXT } },
      },
      required: ['a'],
    };
    expect(schemaTo(GPT, schema)).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string', description: '{minLength: 1}' },
        b: { type: 'integer', minimum: 1 },
        c: { type: 'object', properties: { d: TEXT }, required: ['d'], additionalProperties: false },
      },
      required: ['a', 'b', 'c'],
      additionalProperties: false,
    });
  });

  it('has what all of several schemas say in one', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: TEXT } },
        { type: 'object', properties: { b: TEXT } },
      ],
    };
    const root = { type: 'object', properties: { x: schema }, required: ['x'], additionalProperties: false };
    const { properties } = schemaTo(GPT, root) as { properties: object };
    expect(properties).toEqual({
      x: { type: 'object', properties: { a: TEXT, b: TEXT }, required: ['a', 'b'], additionalProperties: false },
    });
  });

  it.each([
    ['a map', { type: 'object', properties: { a: { type: 'object', additionalProperties: TEXT } } }],
    ['alternatives at its root', { anyOf: [{ type: 'object', properties: { a: TEXT } }] }],
    ['no object at its root', { type: 'array', items: TEXT }],
  ])('is not strict where it is %s', (_what, schema) => {
    const { body, adjustments } = translated(GPT, format(schema, true));
    expect(body['response_format']).toEqual({ type: 'json_schema', json_schema: { name: 'a', schema, strict: false } });
    expect(adjustments.map(({ reason }) => reason)).toEqual(['schema_not_strict']);
  });

  it('stays as it is where it is not strict', () => {
    const schema = { type: 'object', properties: { a: { type: 'string', minLength: 1 } } };
    expect(schemaTo(GPT, schema, false)).toEqual(schema);
  });
});

describe('A strict tool', () => {
  const tool = (parameters: object, strict: boolean): object => ({
    tools: [{ type: 'function', function: { name: 'a', parameters, strict } }],
  });

  it.each<[Served]>([[GPT], [CLAUDE]])('has parameters that %j takes', (served) => {
    const parameters = { type: 'object', properties: { a: { type: 'string', maxLength: 5 } }, required: ['a'] };
    const { tools } = translated(served, tool(parameters, true)).request;
    expect(tools![0]!.function).toEqual({
      name: 'a',
      strict: true,
      parameters: {
        type: 'object',
        properties: { a: { type: 'string', description: '{maxLength: 5}' } },
        required: ['a'],
        additionalProperties: false,
      },
    });
    expect(translated(served, tool(parameters, false)).request.tools![0]!.function!.parameters).toEqual(parameters);
  });
});
