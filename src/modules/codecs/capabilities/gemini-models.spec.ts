import { capabilitiesOf } from '../../catalog/capabilities/default-capabilities.js';
import { adjustmentsOf, sentTo, type Served, translated } from './translation.fixture.js';

const served = (model: string): Served => ({ model, provider: 'google-ai-studio', protocol: 'gemini' });

const [PRO_25, FLASH_25, LITE_25] = ['pro', 'flash', 'flash-lite'].map((name) =>
  served(`google/gemini-2.5-${name}`),
) as [Served, Served, Served];
const GEMINI_3 = served('google/gemini-3-pro-preview');

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false };
const TOOL = { type: 'function', function: { name: 'weather', parameters: PARAMETERS } };
const called = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } };
const PICTURE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };

const thinkingOf = (model: Served, fields: object): unknown =>
  (sentTo(model, fields)['generationConfig'] as { thinkingConfig?: unknown } | undefined)?.thinkingConfig;

describe('How a model of Google is asked to think', () => {
  it.each<[string, Served, object, object | undefined]>([
    [
      '2.5 Pro with the share of an effort',
      PRO_25,
      { reasoning: { effort: 'high' }, max_tokens: 10_000 },
      { thinkingBudget: 8_000 },
    ],
    ['2.5 Pro with the most that it may think', PRO_25, { reasoning: { effort: 'max' } }, { thinkingBudget: 31_129 }],
    ['2.5 Pro with the least where it is to rest', PRO_25, { reasoning: { effort: 'none' } }, { thinkingBudget: 128 }],
    [
      '2.5 Pro with no more than it may think',
      PRO_25,
      { reasoning: { max_tokens: 99_999 } },
      { thinkingBudget: 32_768 },
    ],
    ['2.5 Flash as it sees fit', FLASH_25, { reasoning: { enabled: true } }, { thinkingBudget: -1 }],
    ['2.5 Flash with none', FLASH_25, { reasoning: { enabled: false } }, { thinkingBudget: 0 }],
    ['2.5 Flash with a number of tokens', FLASH_25, { reasoning: { max_tokens: 2_000 } }, { thinkingBudget: 2_000 }],
    [
      '2.5 Flash-Lite with no less than it may think',
      LITE_25,
      { reasoning: { effort: 'low' }, max_tokens: 1_000 },
      { thinkingBudget: 512 },
    ],
    ['3 with a level', GEMINI_3, { reasoning: { effort: 'low' } }, { thinkingLevel: 'LOW' }],
    ['3 with the nearest level that it has', GEMINI_3, { reasoning: { effort: 'medium' } }, { thinkingLevel: 'LOW' }],
    [
      '3 with the weakest level where it is to rest',
      GEMINI_3,
      { reasoning: { effort: 'none' } },
      { thinkingLevel: 'LOW' },
    ],
    [
      '3 with a level for a number of tokens',
      GEMINI_3,
      { reasoning: { max_tokens: 900 }, max_tokens: 1_000 },
      { thinkingLevel: 'HIGH' },
    ],
    ['2.5 Pro without a wish', PRO_25, { reasoning: { exclude: true } }, undefined],
    ['2.0', served('google/gemini-2.0-flash'), { reasoning: { effort: 'high' } }, undefined],
    ['a model of images', served('google/gemini-2.5-flash-image'), { reasoning: { effort: 'high' } }, undefined],
  ])('is for %s', (_, model, fields, expected) => {
    const thinking = thinkingOf(model, fields);
    if (expected === undefined) expect(thinking).toBeUndefined();
    else expect(thinking).toMatchObject(expected);
  });

  it('says what is asked for in place of a number that is too small', () => {
    const translation = translated(LITE_25, { reasoning: { max_tokens: 3 } });
    expect(adjustmentsOf(translation)).toEqual(['reasoning.max_tokens: below_minimum']);
  });
});

describe('A request to a model of Google', () => {
  it('has the keywords of schemas that are documented, and says the others', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        default: { type: 'string', pattern: '^a', default: 'a' },
        kind: { const: 'x' },
        $ref: { type: ['string', 'null'] },
      },
      required: ['default'],
      additionalProperties: false,
    };
    const expected = {
      type: 'object',
      properties: {
        default: { type: 'string', description: '{pattern: "^a", default: "a"}' },
        kind: { enum: ['x'] },
        $ref: { type: ['string', 'null'] },
      },
      required: ['default'],
    };
    const body = sentTo(GEMINI_3, {
      tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }],
      response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
    });
    expect(body).toMatchObject({
      tools: [{ functionDeclarations: [{ parametersJsonSchema: expected }] }],
      generationConfig: { responseJsonSchema: expected },
    });
  });

  it('has no property as required that it does not name, because that is refused', () => {
    const properties = { city: { type: 'string' } };
    const parametersOf = (required: readonly string[]): unknown => {
      const parameters = { type: 'object', properties, required };
      const { tools } = sentTo(GEMINI_3, { tools: [{ ...TOOL, function: { ...TOOL.function, parameters } }] });
      return (tools as { functionDeclarations: { parametersJsonSchema: object }[] }[])[0]!.functionDeclarations[0]!
        .parametersJsonSchema;
    };
    expect(parametersOf(['country', 'city'])).toEqual({ type: 'object', properties, required: ['city'] });
    expect(parametersOf(['country'])).toEqual({ type: 'object', properties });
  });

  it.each([
    [{ type: 'json_schema', json_schema: { name: 'x', schema: PARAMETERS } }, 'response_format: schema_in_words'],
    [{ type: 'json_object' }, 'response_format: json_in_words'],
  ])('of a generation that takes no format beside tools has none for %j', (response_format, note) => {
    const translation = translated(FLASH_25, { tools: [TOOL], response_format });
    expect(translation.body).not.toHaveProperty('generationConfig');
    expect(adjustmentsOf(translation)).toContain(note);
    expect(sentTo(FLASH_25, { response_format })).toHaveProperty('generationConfig');
  });

  it('has what stands for a signature where the model demands one', () => {
    const messages = [{ role: 'assistant', content: null, tool_calls: [called, { ...called, id: 'call_2' }] }];
    const partsOf = (model: Served): unknown =>
      (sentTo(model, { messages })['contents'] as { parts: unknown }[])[0]!.parts;
    expect(partsOf(GEMINI_3)).toMatchObject([{ thoughtSignature: 'skip_thought_signature_validator' }, {}]);
    expect(JSON.stringify(partsOf(FLASH_25))).not.toContain('thoughtSignature');
  });

  it('has images of results in the result, or behind it where the model does not take them there', () => {
    const messages = [
      { role: 'assistant', content: null, tool_calls: [called] },
      { role: 'tool', tool_call_id: 'call_1', content: [PICTURE] },
    ];
    const last = (model: Served): unknown => (sentTo(model, { messages })['contents'] as unknown[])[1];
    expect(last(GEMINI_3)).toMatchObject({ parts: [{ functionResponse: { parts: [{ inlineData: {} }] } }] });
    expect(last(FLASH_25)).toMatchObject({
      parts: [
        { functionResponse: { response: { output: 'The result is in the next message.' } } },
        { text: 'Result of the tool call call_1:' },
        { inlineData: { mimeType: 'image/png' } },
      ],
    });
  });

  it('has text files as texts, and names of tools that it takes', () => {
    const file = { filename: 'a.csv', file_data: `data:text/csv;base64,${Buffer.from('a,b').toString('base64')}` };
    const body = sentTo(GEMINI_3, {
      messages: [{ role: 'user', content: [{ type: 'file', file }] }],
      tools: [{ type: 'function', function: { name: '1 a/b' } }],
    });
    expect(body['contents']).toEqual([{ role: 'user', parts: [{ text: 'a.csv\na,b' }] }]);
    expect(JSON.stringify(body['tools'])).toMatch(/"name":"_1_a_b_[0-9a-f]{8}"/);
  });

  it('has instructions as what the user says where the model takes none', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ];
    expect(sentTo(served('google/gemma-3-27b-it'), { messages })).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Hi' }] }],
    });
  });

  it('has no fields that are not documented', () => {
    const fields = {
      min_p: 1,
      logit_bias: { 1: 1 },
      verbosity: 'low',
      extra_body: { x: 1 },
      prompt_cache_key: 'x',
      seed: 1,
    };
    expect(sentTo(GEMINI_3, fields)).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      generationConfig: { seed: 1 },
    });
  });
});

describe('Embeddings of a model of Google', () => {
  it.each([
    ['google/gemini-embedding-001', {}],
    ['google/gemini-embedding-2-preview', { embedding_operation: 'embed_content' }],
    ['google/text-embedding-005', { embedding_inputs: 250 }],
  ])('are called as the catalog says: %s', (model, known) => {
    const { embedding_operation, embedding_inputs } = capabilitiesOf(
      { model, provider: 'google-vertex', protocol: 'gemini', isWellKnown: false },
      [],
    );
    expect({ embedding_operation, embedding_inputs }).toEqual(known);
  });
});
