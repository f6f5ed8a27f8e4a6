import { messagesFieldsOf, withMessagesFields } from '../chat/messages-fields.js';
import { adjustmentsOf, sentTo, translated, type Served } from './translation.fixture.js';

const served = (model: string): Served => ({ model, provider: 'amazon-bedrock', protocol: 'converse' });

const SCHEMA = { type: 'json_schema', json_schema: { name: 'place', schema: { type: 'object', properties: {} } } };

const TOOL = { type: 'function', function: { name: 'weather.of a city', parameters: {} } };

const marked = {
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }] }],
};

const called = (id: string): object => ({
  tools: [TOOL],
  messages: [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: '1' },
  ],
});

describe('A request for a model at Bedrock', () => {
  it.each([
    ['anthropic/claude-sonnet-4.5', { thinking: { type: 'enabled', budget_tokens: 4_000 } }],
    ['anthropic/claude-opus-4.7', { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } }],
    ['amazon/nova-2-lite-v1', { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'medium' } }],
    ['openai/gpt-oss-120b', { reasoning_effort: 'medium' }],
    ['openai/gpt-5.4', { reasoning: { effort: 'medium' } }],
    ['amazon/nova-pro-v1', undefined],
    ['meta-llama/llama-4-scout', undefined],
    ['deepseek/deepseek-v3.1', undefined],
  ])('asks %s to think in its own field', (model, expected) => {
    const { additionalModelRequestFields: fields } = sentTo(served(model), {
      reasoning: { effort: 'medium' },
      max_tokens: 8_000,
    });
    expect(fields).toEqual(expected);
  });

  it.each([
    ['anthropic/claude-sonnet-4.5', 'outputConfig'],
    ['anthropic/claude-sonnet-4', 'toolConfig'],
    ['anthropic/claude-opus-4.7', 'toolConfig'],
    ['amazon/nova-pro-v1', 'toolConfig'],
    ['meta-llama/llama-4-scout', 'system'],
  ])('has the schema of an answer of %s in %s', (model, field) => {
    const body = sentTo(served(model), { response_format: SCHEMA });
    expect(Object.keys(body).filter((name) => name !== 'messages' && name !== 'inferenceConfig')).toEqual([field]);
    expect(JSON.stringify(body[field])).toMatch(/"type\\?":\\?"object\\?"/);
  });

  it('says the schema of an answer to a model that thinks, which cannot be made to call a tool', () => {
    const fields = { response_format: SCHEMA, reasoning: { effort: 'low' }, max_tokens: 8_000 };
    const body = sentTo(served('amazon/nova-2-lite-v1'), fields);
    expect(body).not.toHaveProperty('toolConfig');
    expect(JSON.stringify(body['system'])).toContain('JSON schema');
  });

  it('has marks for the cache at models that know them', () => {
    const hasMark = (model: string): boolean => JSON.stringify(sentTo(served(model), marked)).includes('cachePoint');
    expect(hasMark('anthropic/claude-sonnet-4.5')).toBe(true);
    expect(hasMark('amazon/nova-pro-v1')).toBe(true);
    expect(hasMark('amazon/titan-text-premier-v1')).toBe(false);
    expect(hasMark('meta-llama/llama-4-scout')).toBe(false);
  });

  it('demands tools of models that can be made to call them', () => {
    const fields = { tools: [TOOL], tool_choice: 'required' };
    const choiceOf = (model: string): unknown =>
      (sentTo(served(model), fields)['toolConfig'] as { toolChoice?: object }).toolChoice;
    expect(choiceOf('anthropic/claude-sonnet-4.5')).toEqual({ any: {} });
    expect(choiceOf('amazon/nova-pro-v1')).toEqual({ any: {} });
    expect(choiceOf('meta-llama/llama-4-scout')).toBeUndefined();
    expect(adjustmentsOf(translated(served('meta-llama/llama-4-scout'), fields))).toContain(
      'tool_choice: refused_by_model',
    );
  });

  it.each<[string, Served]>([
    ['Converse', served('anthropic/claude-haiku-4.5')],
    ['Invoke', { ...served('anthropic/claude-haiku-4.5'), provider: 'amazon-bedrock-claude', protocol: 'anthropic' }],
    ['Vertex', { model: 'anthropic/claude-haiku-4.5', provider: 'google-vertex-claude', protocol: 'anthropic' }],
  ])('has no alternatives at the root of the parameters of a tool of Claude by %s', (_, claude) => {
    const [a, b] = ['a', 'b'].map((name) => ({ type: 'object', properties: { [name]: { type: 'string' } } }));
    const parameters = {
      anyOf: [
        { ...a, required: ['a'] },
        { ...b, required: ['b'] },
      ],
    };
    const translation = translated(claude, { tools: [{ type: 'function', function: { name: 'find', parameters } }] });
    expect(JSON.stringify(translation.body)).toContain(
      '{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}',
    );
    expect(adjustmentsOf(translation)).toContain('tools.0.function.parameters.anyOf: combinator_at_root');
  });

  it('has names of tools and ids of calls in the characters and lengths that are taken', () => {
    const idsIn = (model: string, id: string): unknown[] =>
      [...JSON.stringify(sentTo(served(model), called(id))).matchAll(/"toolUseId":"([^"]*)"/g)].map(
        ([, found]) => found,
      );
    const long = `toolu_${'x'.repeat(80)}`;
    const [call, result] = idsIn('anthropic/claude-sonnet-4.5', long);
    expect(call).toMatch(/^[\w-]{1,64}$/);
    expect(result).toBe(call);
    expect(idsIn('mistralai/mistral-large', 'tooluse_1')[0]).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(JSON.stringify(sentTo(served('amazon/nova-pro-v1'), { tools: [TOOL] }))).toMatch(
      /"name":"weather_of_a_city_[0-9a-f]{8}"/,
    );
  });

  it('has instructions as texts of the user at models that take none', () => {
    const messages = [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
    ];
    expect(sentTo(served('mistralai/mistral-7b-instruct'), { messages })).toMatchObject({
      messages: [{ role: 'user', content: [{ text: 'Be short.' }, { text: 'Hi' }] }],
    });
    expect(sentTo(served('mistralai/mistral-large'), { messages })).toHaveProperty('system');
  });

  it('has text files of other types as documents of text', () => {
    const file = { filename: 'a.json', file_data: `data:application/json;base64,${btoa('{"a":1}')}` };
    const body = sentTo(served('amazon/nova-pro-v1'), {
      messages: [{ role: 'user', content: [{ type: 'file', file }] }],
    });
    expect(body['messages']).toMatchObject([
      { content: [{}, { document: { format: 'txt', name: 'Document 1 a json', source: { bytes: btoa('{"a":1}') } } }] },
    ]);
  });

  it.each([
    ['anthropic/claude-sonnet-4.5', true],
    ['anthropic/claude-sonnet-4.6', false],
    ['meta-llama/llama-4-scout', false],
  ])('for %s may end with the assistant: %j', (model, isTaken) => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'The answer is' },
    ];
    const sent = sentTo(served(model), { messages })['messages'] as { role: string }[];
    expect(sent.at(-1)!.role === 'assistant').toBe(isTaken);
  });

  describe.each([
    ['Bedrock', 'amazon-bedrock-claude'],
    ['Vertex', 'google-vertex-claude'],
  ])('by %s, from a coding agent with the betas of Anthropic', (_, provider) => {
    const claude: Served = { model: 'anthropic/claude-sonnet-4.6', provider, protocol: 'anthropic' };
    const mark = { type: 'ephemeral', ttl: '1h', scope: 'global' };
    const unscoped = { type: 'ephemeral', ttl: '1h' };
    const tool = (fields: object): object =>
      withMessagesFields(
        { type: 'function', function: { name: 'find', parameters: { type: 'object' } } },
        fields as never,
      );
    const asking = (betas: string): object =>
      withMessagesFields(
        {
          max_tokens: 5,
          tools: [tool({ cache_control: mark, defer_loading: true, input_examples: [{}] })],
          messages: [
            { role: 'system', content: [withMessagesFields({ type: 'text', text: 'Rules' }, { cache_control: mark })] },
            { role: 'user', content: [{ type: 'text', text: 'Hi', cache_control: mark }] },
          ],
        },
        { betas },
      );

    it('has no scopes of marks, and no fields of tools, without the features that they belong to', () => {
      const { body } = translated(claude, asking('prompt-caching-scope-2026-01-05,tool-examples-2025-10-29'));
      expect(body).toMatchObject({
        system: [{ cache_control: unscoped }],
        messages: [{ content: [{ cache_control: unscoped }] }],
      });
      expect(JSON.stringify(body)).not.toMatch(/scope|input_examples/);
    });

    it('has the name of a feature that the cloud knows, and what belongs to it', () => {
      const translation = translated(claude, asking('interleaved-thinking-2025-05-14,advanced-tool-use-2025-11-20'));
      expect(messagesFieldsOf(translation.request)['betas']).toBe(
        'interleaved-thinking-2025-05-14,tool-search-tool-2025-10-19',
      );
      expect(translation.body['tools']).toMatchObject([{ defer_loading: true, cache_control: mark }]);
      expect(JSON.stringify(translation.body)).not.toContain('input_examples');
    });
  });

  it('has the betas that Bedrock takes, whatever dialect it is asked in', () => {
    const betas = 'prompt-caching-2024-07-31, context-1m-2025-08-07,files-api-2025-04-14';
    const claude: Served = {
      model: 'anthropic/claude-sonnet-4.5',
      provider: 'amazon-bedrock-claude',
      protocol: 'anthropic',
    };
    const request = withMessagesFields({ max_tokens: 5 }, { betas });
    const converse = translated(served('anthropic/claude-sonnet-4.5'), request);
    expect(converse.body['additionalModelRequestFields']).toEqual({ anthropic_beta: ['context-1m-2025-08-07'] });
    expect(adjustmentsOf(converse)).toEqual(['betas: refused_by_model']);
    expect(adjustmentsOf(translated(claude, request))).toEqual(['betas: refused_by_model']);
    expect(adjustmentsOf(translated({ ...claude, provider: 'anthropic' }, request))).toEqual([]);
  });

  it('by Invoke has no fields that only Anthropic itself takes', () => {
    const claude: Served = {
      model: 'anthropic/claude-sonnet-4.5',
      provider: 'amazon-bedrock-claude',
      protocol: 'anthropic',
    };
    const fields = { service_tier: 'auto', cache_control: { type: 'ephemeral' }, temperature: 0.5 };
    const body = sentTo(claude, fields);
    expect([body['service_tier'], body['cache_control'], body['temperature']]).toEqual([undefined, undefined, 0.5]);
  });
});
