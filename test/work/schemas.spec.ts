import { CountedCode } from '../support/work/counted-code.js';
import { SERVED_MODELS } from '../support/work/served-models.js';

type Schema = Readonly<Record<string, unknown>>;

const TEXT: Schema = { type: 'string' };

/** A schema within itself, some levels deep. */
function nested(levels: number, around: (inner: Schema) => Schema): Schema {
  let schema = TEXT;
  for (let level = 0; level < levels; level += 1) schema = around(schema);
  return schema;
}

const properties = (inner: Schema): Schema => ({ type: 'object', properties: { a: inner } });

/** Schemas that hold another one, for each keyword that can. */
const HOLDING: Readonly<Record<string, (inner: Schema) => Schema>> = {
  properties,
  'a type that is repeated': (inner) => ({ type: ['object', 'object'], properties: { a: inner } }),
  'several types': (inner) => ({ type: ['object', 'array', 'null'], properties: { a: inner }, items: TEXT }),
  'several types with lists': (inner) => ({
    type: ['object', 'array', 'string'],
    properties: { a: TEXT },
    items: inner,
  }),
  'ten types': (inner) => ({ type: [...'abcdefghi', 'object'], properties: { a: inner } }),
  'types beside alternatives': (inner) => ({ type: ['object', 'array'], anyOf: [inner] }),
  'types beside several alternatives': (inner) => ({ type: ['object', 'array'], anyOf: [inner, TEXT], oneOf: [TEXT] }),
  'ten types beside alternatives': (inner) => ({ type: [...'abcdefghi', 'object'], anyOf: [inner] }),
  'types beside all': (inner) => ({ type: ['object', 'array'], allOf: [inner, { type: 'array' }] }),
  'types beside one of all': (inner) => ({ type: ['object', 'array'], allOf: [{ properties: { a: inner } }] }),
  'types beside no': (inner) => ({ type: ['object', 'array'], not: inner }),
  'types beside definitions': (inner) => ({ type: ['object', 'array'], definitions: { a: inner }, $defs: { b: TEXT } }),
  'types beside patterns': (inner) => ({ type: ['object', 'string'], patternProperties: { a: inner } }),
  'types beside maps': (inner) => ({ type: ['object', 'string'], additionalProperties: inner }),
  'types beside an unknown keyword': (inner) => ({ type: ['object', 'string'], dependentSchemas: { a: inner } }),
  anyOf: (inner) => ({ anyOf: [inner, { type: 'null' }] }),
  oneOf: (inner) => ({ oneOf: [inner, { type: 'null' }] }),
  allOf: (inner) => ({ allOf: [{ type: 'object', properties: { a: inner } }, { properties: { b: TEXT } }] }),
  'one of all': (inner) => ({ allOf: [{ type: 'object', properties: { a: inner } }] }),
  items: (inner) => ({ type: 'array', items: inner }),
  'items of a list': (inner) => ({ type: 'array', items: [inner, TEXT] }),
  prefixItems: (inner) => ({ type: 'array', prefixItems: [inner] }),
  contains: (inner) => ({ type: 'array', contains: inner }),
  not: (inner) => ({ not: inner }),
  additionalProperties: (inner) => ({ type: 'object', additionalProperties: inner }),
  patternProperties: (inner) => ({ type: 'object', patternProperties: { a: inner } }),
  $defs: (inner) => ({ type: 'object', $defs: { a: inner }, properties: { b: { $ref: '#/$defs/a' } } }),
  'a reference with definitions': (inner) => ({ $ref: '#/$defs/a', $defs: { a: inner } }),
  definitions: (inner) => ({
    type: 'object',
    definitions: { a: inner },
    properties: { b: { $ref: '#/definitions/a' } },
  }),
  if: (inner) => ({ if: inner, then: TEXT, else: TEXT }),
};

/** A request that has a schema wherever it can have one. */
function requestWith(schema: Schema, strict: boolean): object {
  const tool = (name: string, described: object) => ({ type: 'function', function: { name, ...described } });
  return {
    model: 'up',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [tool('a', { parameters: schema }), tool('b', { parameters: schema, strict: true })],
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema, ...(strict && { strict }) } },
  };
}

/** How much longer a body may be whose request is twice as deep. */
const MOST_LENGTH = 2.5;

/** How much more work its translation may be: each change that is noted names its place, whose length grows with the depth. */
const MOST_WORK = 4.5;

/** Those that do not take every schema as it is. */
const CHANGING_SCHEMAS = ['openai, known', 'openai, demanding', 'openai-responses', 'anthropic', 'gemini', 'converse'];

/** What becomes of a request. */
const OUTCOMES = /^(?:translated|request_too_complex)$/;

/** The most work until a small request is refused. */
const MOST_REFUSED = 3_000_000;

describe('A schema', () => {
  let counted: CountedCode;

  beforeAll(async () => {
    counted = await CountedCode.of('test/work/request-work.fixture.mjs');
  });
  afterAll(() => counted.end());

  describe.each(CHANGING_SCHEMAS)('for %s', (served) => {
    it.each(Object.keys(HOLDING))('of %s is translated in proportion to its depth, or refused', async (holding) => {
      for (const strict of [true, false]) {
        const ofDepth = (levels: number) =>
          counted.call('translate', SERVED_MODELS[served], requestWith(nested(levels, HOLDING[holding]!), strict));
        await ofDepth(1);
        const [shallow, deep] = [await ofDepth(12), await ofDepth(24)];
        for (const { error } of [shallow, deep]) expect(error?.reason ?? 'translated').toMatch(OUTCOMES);
        if (deep.error === undefined) {
          expect(deep.work / shallow.work).toBeLessThan(MOST_WORK);
          expect(Number(deep.result) / Number(shallow.result)).toBeLessThan(MOST_LENGTH);
        }
        expect(deep.work).toBeLessThan(MOST_REFUSED);
      }
    });
  });
});
