import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import { withMessagesFields } from '../chat/messages-fields.js';
import { adjustmentsOf, CLAUDE, GPT, GPT_4, type Served, sentTo, translated, UNKNOWN } from './translation.fixture.js';

const TOOL = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };
const OPUS: Served = { ...CLAUDE, model: 'anthropic/claude-opus-4.7' };
const SONNET_5: Served = { ...CLAUDE, model: 'anthropic/claude-sonnet-5' };
const FABLE: Served = { ...CLAUDE, model: 'anthropic/claude-fable-5.1' };
const OFF = { thinking: { type: 'disabled' } };
const HAIKU: Served = { ...CLAUDE, model: 'anthropic/claude-haiku-4.5' };
const MISTRAL: Served = { model: 'mistralai/mistral-large-2512', provider: 'mistral' };
const GEMINI: Served = { model: 'google/gemini-3.1-pro-preview', provider: 'google-ai-studio' };
const DEEPSEEK: Served = { model: 'deepseek/deepseek-v4-pro', provider: 'deepseek' };

const said = (reasoning: object, fields: object): object => ({
  reasoning: withMessagesFields(reasoning, fields as never),
});

describe('A request to a model of which nothing is known', () => {
  it('is passed on as it is', () => {
    const request = {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'system', content: [{ type: 'text', text: 'And kind.' }] },
        { role: 'user', content: 'Hi', unknown: 1 },
      ],
      temperature: 0.5,
      top_p: 0.9,
      tools: [TOOL],
      tool_choice: 'required',
      response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: { minimum: 1 } } },
      max_tokens: 5,
      seed: 3,
    };
    const { body, adjustments } = translated(UNKNOWN, request);

    expect(body).toEqual({ model: 'up', ...request });
    expect(adjustments).toEqual([]);
  });

  it.each([
    [{ effort: 'minimal' }, 'minimal'],
    [{ effort: 'max' }, 'xhigh'],
    [{ max_tokens: 4_000 }, 'low'],
    [{ enabled: true }, 'medium'],
    [{ enabled: false }, 'none'],
    [{ exclude: true }, undefined],
  ])('has the reasoning %j as the effort %s', (reasoning, effort) => {
    expect(sentTo(UNKNOWN, { reasoning, max_tokens: 32_000 })['reasoning_effort']).toBe(effort);
  });
});

describe('A request to think', () => {
  it.each<[string, Served, object, object]>([
    [
      'adaptive, with an effort',
      OPUS,
      { reasoning: { effort: 'high' } },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    [
      'adaptive for a budget that the model does not take',
      OPUS,
      { reasoning: { max_tokens: 4_000 } },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
    ],
    [
      'adaptive for a budget of the Messages form',
      OPUS,
      said({ max_tokens: 15_000 }, { thinking: { type: 'enabled', budget_tokens: 15_000 } }),
      { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } },
    ],
    ['adaptive without an effort', OPUS, { reasoning: { enabled: true } }, { thinking: { type: 'adaptive' } }],
    ['off', OPUS, { reasoning: { effort: 'none' } }, {}],
    [
      'as the Messages form says it',
      OPUS,
      said({ enabled: true }, { thinking: { type: 'adaptive', display: 'summarized' } }),
      { thinking: { type: 'adaptive', display: 'summarized' } },
    ],
    ['an effort alone', OPUS, said({ effort: 'max' }, { effort: 'max' }), { output_config: { effort: 'max' } }],
    [
      'adaptive where both are known',
      CLAUDE,
      { reasoning: { effort: 'xhigh' } },
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    [
      'a budget where both are known',
      CLAUDE,
      { reasoning: { max_tokens: 4_000 } },
      { thinking: { type: 'enabled', budget_tokens: 4_000 } },
    ],
    [
      'a budget for an effort',
      HAIKU,
      { reasoning: { effort: 'medium' } },
      { thinking: { type: 'enabled', budget_tokens: 8_000 } },
    ],
    [
      'a budget for adaptive',
      HAIKU,
      said({ enabled: true, effort: 'low' }, { thinking: { type: 'adaptive' }, effort: 'low' }),
      { thinking: { type: 'enabled', budget_tokens: 3_200 } },
    ],
    ['nothing', { ...CLAUDE, model: 'anthropic/claude-3.5-haiku' }, { reasoning: { effort: 'high' } }, {}],
    ['off by name where the model thinks by itself', SONNET_5, { reasoning: { effort: 'none' } }, OFF],
    ['off by name for `enabled: false`', SONNET_5, { reasoning: { enabled: false } }, OFF],
    ['off as the Messages form says it', SONNET_5, said({ exclude: true }, OFF), OFF],
    ['nothing where nothing was asked', SONNET_5, {}, {}],
    ['as little as can be', FABLE, { reasoning: { effort: 'none' } }, { output_config: { effort: 'low' } }],
    ['as little as can be for thoughts that are off', FABLE, said({}, OFF), { output_config: { effort: 'low' } }],
  ])('is %s', (_how, served, fields, expected) => {
    const { thinking, output_config } = sentTo(served, { max_tokens: 16_000, ...fields });
    expect({
      ...(thinking !== undefined && { thinking }),
      ...(output_config !== undefined && { output_config }),
    }).toEqual(expected);
  });

  it.each<[Served, object, string | undefined]>([
    [GPT, { effort: 'minimal' }, 'low'],
    [GPT, { max_tokens: 4_000 }, 'low'],
    [GPT, { effort: 'max' }, 'xhigh'],
    [{ ...GPT, model: 'openai/gpt-5-mini' }, { effort: 'none' }, 'minimal'],
    [{ ...GPT, model: 'openai/o3' }, { effort: 'xhigh' }, 'high'],
    [{ ...GPT, model: 'openai/gpt-4o' }, { effort: 'high' }, undefined],
    [GEMINI, { effort: 'xhigh' }, 'high'],
    [GEMINI, { effort: 'none' }, 'low'],
    [DEEPSEEK, { effort: 'xhigh' }, 'high'],
    [DEEPSEEK, { effort: 'max' }, 'max'],
    [{ model: 'mistralai/mistral-small-2603', provider: 'mistral' }, { effort: 'low' }, 'high'],
  ])('has words that the model knows: %j for %j gets %s', (served, reasoning, effort) => {
    expect(sentTo(served, { reasoning, max_tokens: 32_000 })['reasoning_effort']).toBe(effort);
  });

  it.each<[string, object, string | undefined]>([
    ['openai/gpt-5.5', { reasoning: { effort: 'medium' } }, 'none'],
    ['openai/gpt-5.4', { reasoning: { effort: 'xhigh' } }, 'none'],
    ['openai/gpt-5.6-sol', {}, 'none'],
    ['openai/gpt-5.4', {}, undefined],
    ['openai/gpt-5-mini', { reasoning: { effort: 'low' } }, 'low'],
    ['openai/gpt-4.1', {}, undefined],
  ])(
    'is none beside tools where %s thinks beside tools at an operation alone that its provider is not known to have: %j gets %s',
    (model, fields, effort) => {
      const { body } = translated({ model, provider: 'acme' }, { ...fields, tools: [TOOL] });
      expect(body['reasoning_effort']).toBe(effort);
    },
  );

  it('is named where it is changed', () => {
    const elsewhere = { ...GPT, provider: 'acme' };
    expect(adjustmentsOf(translated(elsewhere, { reasoning: { effort: 'high' }, tools: [TOOL] }))).toEqual([
      'reasoning: reasoning_not_with_tools',
    ]);
    expect(adjustmentsOf(translated(OPUS, { reasoning: { max_tokens: 4_000 } }))).toEqual([
      'reasoning.max_tokens: budget_as_effort',
    ]);
  });
});

describe('What the provider leaves out of a conversation', () => {
  const CLEARING = {
    context_management: {
      edits: [{ type: 'clear_thinking_20251015', keep: 'all' }, { type: 'clear_tool_uses_20250919' }],
    },
  };
  const editsTo = (served: Served, fields: object): string[] => {
    const sent = sentTo(served, withMessagesFields({ max_tokens: 16_000, ...fields }, CLEARING));
    const { edits } = sent['context_management'] as { edits: { type: string }[] };
    return edits.map(({ type }) => type.split('_')[1]!);
  };

  it.each<[string, Served, object, string[]]>([
    ['thoughts, if it thinks', HAIKU, { reasoning: { max_tokens: 2_000 } }, ['thinking', 'tool']],
    ['thoughts, if it thinks by itself', SONNET_5, {}, ['thinking', 'tool']],
    ['no thoughts, if it does not think', HAIKU, {}, ['tool']],
    [
      'no thoughts, if the answer has no room for them',
      HAIKU,
      { reasoning: { max_tokens: 2_000 }, max_tokens: 900 },
      ['tool'],
    ],
    ['no thoughts, if it shall not think', SONNET_5, { reasoning: { effort: 'none' } }, ['tool']],
  ])('are %s', (_what, served, fields, expected) => {
    expect(editsTo(served, fields)).toEqual(expected);
  });
});

describe('Fields of sampling', () => {
  const SAMPLING = { temperature: 0.7, top_p: 0.95 };

  it.each<[string, Served, object, object]>([
    ['only the first of two that exclude each other', CLAUDE, SAMPLING, { temperature: 0.7 }],
    ['the second alone', CLAUDE, { top_p: 0.95 }, { top_p: 0.95 }],
    ['none that the model refuses', OPUS, { ...SAMPLING, top_k: 5 }, {}],
    ['none that the model refuses while it thinks', GPT, SAMPLING, {}],
    ['those that it takes while it does not think', GPT, { ...SAMPLING, reasoning: { effort: 'none' } }, SAMPLING],
    ['those that it takes if it does not think by itself', { ...GPT, model: 'openai/gpt-5.4' }, SAMPLING, SAMPLING],
    ['none of a model that always thinks', { ...GPT, model: 'openai/o3' }, SAMPLING, {}],
    ['all of them', { ...GPT, model: 'openai/gpt-4o' }, SAMPLING, SAMPLING],
  ])('are %s', (_what, served, fields, expected) => {
    const { temperature, top_p, top_k } = sentTo(served, fields);
    const sent = Object.entries({ temperature, top_p, top_k }).filter(([, value]) => value !== undefined);
    expect(Object.fromEntries(sent)).toEqual(expected);
  });
});

describe('What the Messages form has no field for', () => {
  it.each<[string, object, string[]]>([
    [
      'sampling while the model thinks',
      { reasoning: { max_tokens: 2_000 }, temperature: 0.5, top_k: 3 },
      ['temperature: refused_while_reasoning', 'top_k: refused_while_reasoning'],
    ],
    ['a temperature above its greatest', { temperature: 1.5 }, ['temperature: above_maximum']],
    ['a tier of service', { service_tier: 'flex' }, ['service_tier: no_counterpart']],
    ['a format without a schema', { response_format: { type: 'json_object' } }, ['response_format: json_in_words']],
    [
      'a tool that must be called while the model thinks',
      { reasoning: { max_tokens: 2_000 }, tools: [TOOL], tool_choice: 'required' },
      ['tool_choice: refused_while_reasoning'],
    ],
    ['nothing of all that', { temperature: 0.5, service_tier: 'auto', response_format: { type: 'text' } }, []],
  ])('is named: %s', (_what, fields, expected) => {
    expect(adjustmentsOf(translated(CLAUDE, fields))).toEqual(expected);
  });
});

describe('The longest answer', () => {
  it.each<[string, Served, object, object]>([
    ['is that of the endpoint where the provider wants to be told', CLAUDE, {}, { max_tokens: 128_000 }],
    ['is what the client says', CLAUDE, { max_tokens: 7 }, { max_tokens: 7 }],
    [
      'leaves room for the prompt',
      { ...CLAUDE, contextLength: 200_000 },
      { messages: [{ role: 'user', content: 'a'.repeat(200_000) }] },
      { max_tokens: 100_000 },
    ],
    ['is 4,096 where nothing is known', { ...CLAUDE, maxCompletionTokens: null }, {}, { max_tokens: 4_096 }],
    ['is not named to a provider that does not want it', GPT, {}, {}],
    ['has the name that the provider knows', GPT, { max_tokens: 7 }, { max_completion_tokens: 7 }],
    [
      'has the name that the provider knows, whichever the client writes',
      DEEPSEEK,
      { max_completion_tokens: 7 },
      { max_tokens: 7 },
    ],
    [
      'counts by its newer name',
      { ...GPT, provider: 'azure' },
      { max_tokens: 7, max_completion_tokens: 9 },
      { max_completion_tokens: 9 },
    ],
  ])('%s', (_what, served, fields, expected) => {
    const { max_tokens, max_completion_tokens } = sentTo(served, fields);
    expect(JSON.parse(JSON.stringify({ max_tokens, max_completion_tokens }))).toEqual(expected);
  });
});

describe('Tools', () => {
  it.each<[Served]>([[GPT], [CLAUDE], [MISTRAL], [UNKNOWN]])(
    'are left out of %j with all that says how they are called, if there are none',
    (served) => {
      const { body, adjustments } = translated(served, { tools: [], tool_choice: 'auto', parallel_tool_calls: false });
      for (const field of ['tools', 'tool_choice', 'parallel_tool_calls']) expect(body).not.toHaveProperty(field);
      expect(adjustments.map(({ path }) => path)).toEqual(['tools', 'tool_choice', 'parallel_tool_calls']);
    },
  );

  const parametersOf = (served: Served, parameters: object): unknown => {
    const [tool] = sentTo(served, { tools: [{ type: 'function', function: { name: 'ping', parameters } }] })[
      'tools'
    ] as Record<string, Record<string, unknown>>[];
    return tool!['input_schema'] ?? tool!['parameters'] ?? tool!['function']!['parameters'];
  };

  it.each<[Served]>([[GPT], [MISTRAL]])('have for %j parameters that are an object with properties', (served) => {
    const plain = { type: 'object', properties: {} };
    expect(parametersOf(served, {})).toEqual(plain);
    expect(parametersOf(served, { type: 'object' })).toEqual(plain);
    expect(parametersOf(served, { properties: { a: { type: 'string' } } })).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
    });
  });

  it('have for Claude parameters that are an object, and for others what the client says', () => {
    expect(parametersOf(CLAUDE, {})).toEqual({ type: 'object', properties: {} });
    expect(parametersOf(CLAUDE, { type: 'object' })).toEqual({ type: 'object' });
    expect(parametersOf(CLAUDE, { properties: {} })).toEqual({ type: 'object', properties: {} });
    for (const parameters of [{}, { type: 'object' }]) expect(parametersOf(UNKNOWN, parameters)).toEqual(parameters);
  });

  it.each<[Served]>([[GPT], [CLAUDE]])('have no alternatives at the root of their parameters for %j', (served) => {
    const one = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string' } }, required: ['a', 'b'] };
    const other = { type: 'object', properties: { a: { type: 'string' }, c: { type: 'integer' } }, required: ['a'] };
    expect(parametersOf(served, { anyOf: [one, other] })).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'integer' } },
      required: ['a'],
      description: expect.stringContaining('anyOf') as unknown,
    });
  });

  const LONG = 'mcp__plugin_chrome-devtools-mcp_chrome-devtools__performance_analyze_insight';
  const NAMES = [LONG, `${LONG}s`, 'plain', 'with.dots and spaces'];

  const tools = NAMES.map((name) => ({ type: 'function', function: { name, parameters: {} } }));

  it('have names that the provider takes, each another one, and the client’s in answers', () => {
    const { request, names } = translated(GPT, { tools });
    const sent = request.tools!.map((tool) => tool.function!.name);

    expect(new Set(sent).size).toBe(4);
    for (const name of sent) expect(name).toMatch(/^[\w-]{1,64}$/);
    expect(sent[2]).toBe('plain');
    expect(sent.map((name) => names.ownOf(name))).toEqual(NAMES);
  });

  it('have the same names wherever the request names them, and in the next request', () => {
    const fields = {
      tools,
      tool_choice: { type: 'function', function: { name: LONG } },
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: LONG, arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c1', name: LONG, content: 'Done' },
      ],
    };
    const { body } = translated(GPT_4, fields);
    const [first] = translated(GPT_4, { tools }).request.tools!;
    const { name } = first!.function!;

    expect(JSON.stringify(body)).not.toContain(LONG);
    expect(body['tool_choice']).toEqual({ type: 'function', function: { name } });
    expect(body['messages']).toMatchObject([{}, { tool_calls: [{ function: { name } }] }, { name }]);
  });

  it('keep names that the provider takes, also where another one would become such a name', () => {
    const taken = translated(GPT, { tools }).request.tools!.map((tool) => tool.function!.name)[0]!;
    const both = [...tools, { type: 'function', function: { name: taken, parameters: {} } }];
    const { request, names } = translated(GPT, { tools: both });
    const sent = request.tools!.map((tool) => tool.function!.name);

    expect(new Set(sent).size).toBe(5);
    expect(sent.map((name) => names.ownOf(name))).toEqual([...NAMES, taken]);
  });

  it('have names of 128 characters for Claude', () => {
    expect(translated(CLAUDE, { tools: tools.slice(0, 3) }).names.areUnchanged).toBe(true);
  });

  it('have ids of calls of nine letters and digits for Mistral, the same in a call and its result', () => {
    const call = (id: string): object => ({ id, type: 'function', function: { name: 'look_up', arguments: '{}' } });
    const { messages } = sentTo(MISTRAL, {
      tools: [TOOL],
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: '',
          tool_calls: [call('call_005AKQn2j5TEr4S6i3'), call('toolu_01'), call('abcDEF123')],
        },
        ...['call_005AKQn2j5TEr4S6i3', 'toolu_01', 'abcDEF123'].map((id) => ({
          role: 'tool',
          tool_call_id: id,
          content: 'x',
        })),
      ],
    }) as { messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[] };
    const ids = messages[1]!.tool_calls!.map(({ id }) => id);

    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe('abcDEF123');
    expect(messages.slice(2).map((message) => message.tool_call_id)).toEqual(ids);
  });
});

describe('Messages', () => {
  const INSTRUCTIONS = [
    { role: 'system', content: 'One' },
    { role: 'developer', content: [{ type: 'text', text: 'Two' }] },
    { role: 'user', content: 'Hi' },
    { role: 'system', content: 'Three' },
  ];

  it('have one message of the system where the model’s template takes one', () => {
    expect(sentTo({ model: 'qwen/qwen3.6-plus', provider: 'acme' }, { messages: INSTRUCTIONS })['messages']).toEqual([
      { role: 'system', content: 'One\n\nTwo' },
      { role: 'user', content: 'Hi' },
      { role: 'user', content: 'Three' },
    ]);
  });

  it('have developers only where the provider knows them, and instructions of the system for others', () => {
    const message = { role: 'developer', content: 'Be brief.' };
    for (const provider of ['openai', 'azure'])
      expect(sentTo({ provider }, { messages: [message] })['messages']).toEqual([message]);
    for (const provider of ['deepseek', 'acme']) {
      expect(sentTo({ provider }, { messages: [message] })['messages']).toEqual([
        { role: 'system', content: 'Be brief.' },
      ]);
    }
  });

  it('have names of authors in their field where the provider knows it, and otherwise before their texts', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const call = { id: 'c', type: 'function', function: { name: 'look_up', arguments: '{}' } };
    const messages = [
      { role: 'user', name: 'Ann', content: 'One' },
      { role: 'user', name: 'Ann', content: [{ type: 'text', text: 'Two' }, image] },
      { role: 'user', name: 'Ann', content: [image] },
      { role: 'assistant', name: 'Bob', tool_calls: [call] },
      { role: 'tool', name: 'look_up', tool_call_id: 'c', content: 'Three' },
    ];
    expect(sentTo(GPT, { messages })['messages']).toEqual(messages);
    expect(sentTo(UNKNOWN, { messages })['messages']).toEqual([
      { role: 'user', content: 'Ann: One' },
      { role: 'user', content: [{ type: 'text', text: 'Ann: Two' }, image] },
      { role: 'user', content: [image] },
      { role: 'assistant', content: null, tool_calls: [call] },
      messages[4],
    ]);
  });

  it('have the name before what its author says, not before the image of a result that goes with it', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const messages = [
      { role: 'tool', tool_call_id: 'c', content: [image] },
      { role: 'user', name: 'Ann', content: 'And?' },
    ];
    const [, user] = sentTo(UNKNOWN, { messages })['messages'] as { content: { text?: string }[] }[];
    expect(user!.content.map(({ text }) => text)).toEqual(['Result of the tool call c:', undefined, 'Ann: And?']);
  });

  it.each([
    ['openai', { prompt_cache_breakpoint: { mode: 'explicit' } }, { prompt_cache_options: { mode: 'explicit' } }],
    ['alibaba', { cache_control: { type: 'ephemeral' } }, {}],
    ['together', {}, {}],
  ])('have for %s marks for caches of its own kind', (provider, kept, keptOfRequest) => {
    const marks = { cache_control: { type: 'ephemeral' }, prompt_cache_breakpoint: { mode: 'explicit' } };
    const part = { type: 'text', text: 'Long' };
    const body = sentTo(
      { provider },
      {
        messages: [{ role: 'user', content: [{ ...part, ...marks }] }],
        prompt_cache_options: { mode: 'explicit' },
        prompt_cache_key: 'key',
      },
    );
    expect(body).toEqual({
      model: 'up',
      messages: [{ role: 'user', content: [{ ...part, ...kept }] }],
      prompt_cache_key: 'key',
      ...keptOfRequest,
    });
  });

  it.each<[Served, string[]]>([
    [DEEPSEEK, []],
    [{ provider: 'groq' }, ['user']],
  ])('have texts in place of lists of texts, where a provider takes no lists: %j', (served, roles) => {
    const content = [
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two' },
    ];
    const messages = ['user', 'assistant', 'tool'].map((role) => ({
      role,
      content,
      ...(role === 'tool' && { tool_call_id: 'c' }),
    }));
    const sent = sentTo(served, { messages })['messages'] as { role: string; content: unknown }[];
    for (const message of sent) expect(message.content).toEqual(roles.includes(message.role) ? content : 'One\nTwo');
  });

  it('have only fields that the provider knows, where it refuses others', () => {
    const messages = [
      { role: 'assistant', content: 'Hi', annotations: [], audio: null, refusal: null },
      { role: 'user', content: 'Go on' },
    ];
    expect(sentTo(MISTRAL, { messages })['messages']).toEqual([{ role: 'assistant', content: 'Hi' }, messages[1]]);
  });
});

describe('Media', () => {
  const file = (file_data: string, filename?: string): object => ({
    messages: [{ role: 'user', content: [{ type: 'file', file: { file_data, ...(filename && { filename }) } }] }],
  });
  const partsTo = (served: Served, fields: object): unknown =>
    (sentTo(served, fields)['messages'] as { content: unknown }[])[0]!.content;
  const CSV = 'data:text/csv;base64,YSxiCjEsMgo=';

  it('that are texts become texts where files must be of other types', () => {
    expect(partsTo(CLAUDE, file(CSV, 'a.csv'))).toEqual([
      { type: 'document', title: 'a.csv', source: { type: 'text', media_type: 'text/plain', data: 'a,b\n1,2\n' } },
    ]);
    expect(partsTo(GPT, file(CSV, 'a.csv'))).toEqual([{ type: 'text', text: 'a.csv\na,b\n1,2\n' }]);
    expect(partsTo(GPT, file('data:application/json,%7B%7D'))).toEqual([{ type: 'text', text: '{}' }]);
  });

  it('that are no texts stay what they are', () => {
    expect(partsTo(CLAUDE, file('data:text/csv;base64,/////w=='))).toMatchObject([
      { type: 'document', source: { type: 'base64' } },
    ]);
  });

  it('have a name where the provider wants one', () => {
    expect(partsTo(GPT, file('data:application/pdf;base64,JVBERg=='))).toMatchObject([
      { file: { filename: 'document.pdf' } },
    ]);
    expect(partsTo(GPT, file('data:application/pdf;base64,JVBERg==', 'mine.pdf'))).toMatchObject([
      { file: { filename: 'mine.pdf' } },
    ]);
  });

  const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB';
  const JPEG = '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD';
  const WEBP = 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAA';
  const WAV = 'UklGRhoAAABXQVZFZm10IBAAAAABAAEA';

  it.each([
    ['image/jpeg', PNG, 'image/png'],
    ['image/png', JPEG, 'image/jpeg'],
    ['image/jpeg', WEBP, 'image/webp'],
    ['application/octet-stream', PNG, 'image/png'],
    ['image/png', PNG, 'image/png'],
    ['image/png', WAV, 'image/png'],
    ['image/png', 'AAAA', 'image/png'],
  ])('have the media type that they are of, because providers compare it: %s with %s', (type, data, expected) => {
    const image = { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } };
    expect(partsTo(CLAUDE, { messages: [{ role: 'user', content: [image] }] })).toEqual([
      { type: 'image', source: { type: 'base64', media_type: expected, data } },
    ]);
  });

  const PDF = 'JVBERi0xLjQKMSAwIG9iago8PC9UeXBl';

  it('have a media type where a client has sent the data of a file alone', () => {
    expect(partsTo(CLAUDE, file(PDF, 'a.bin'))).toMatchObject([
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
    ]);
    expect(partsTo(GPT, file(PDF))).toEqual([
      { type: 'file', file: { file_data: `data:application/pdf;base64,${PDF}`, filename: 'document.pdf' } },
    ]);
    expect(partsTo(GPT, file('YSxiCjEsMgpjLGQKMyw0Cg==', 'a.csv'))).toEqual([
      { type: 'text', text: 'a.csv\na,b\n1,2\nc,d\n3,4\n' },
    ]);
  });

  it('stay what they are if nothing says what they are', () => {
    expect(partsTo(GPT, file('YSxiCjEsMgpjLGQKMyw0Cg==', 'a.bin'))).toMatchObject([
      { file: { file_data: 'YSxiCjEsMgpjLGQKMyw0Cg==' } },
    ]);
    expect(partsTo(CLAUDE, file('https://example.com/a.pdf'))).toMatchObject([
      { source: { type: 'url', url: 'https://example.com/a.pdf' } },
    ]);
  });

  it('have their media types by their own names', () => {
    const image = {
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'data:image/jpg;base64,AAAA', detail: 'low' } }],
        },
      ],
    };
    expect(partsTo(CLAUDE, image)).toEqual([
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
    ]);
    expect(partsTo(GPT, image)).toEqual([
      { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,AAAA', detail: 'low' } },
    ]);
  });
});

describe('Fields of a body', () => {
  const MULTIPLYING = {
    deferred: true,
    fallbacks: ['other'],
    max_new_tokens: 9,
    max_output_tokens: 9,
    min_tokens: 9,
    options: { num_predict: 9 },
    use_beam_search: true,
    num_outputs: 9,
    __proto__x: 1,
  };

  it.each<[Served]>([[GPT], [CLAUDE], [MISTRAL], [UNKNOWN], [{ provider: 'ollama' }], [{ provider: 'vllm' }]])(
    'that raise the cost without a price never reach %j',
    (served) => {
      const { body, adjustments } = translated(served, { ...MULTIPLYING, max_tokens: 1 });
      for (const field of Object.keys(MULTIPLYING)) expect(body).not.toHaveProperty(field);
      expect(adjustments).toEqual(
        Object.keys(MULTIPLYING).map((path) => ({ path, action: 'left_out', reason: 'unknown_field' })),
      );
    },
  );

  it.each<[Served]>([[GPT], [CLAUDE], [UNKNOWN]])('are left out if they are empty lists: to %j', (served) => {
    const { body, adjustments } = translated({ ...served, model: 'openai/gpt-4o' }, { stop: [], modalities: [] });
    for (const field of ['stop', 'stop_sequences', 'modalities']) expect(body).not.toHaveProperty(field);
    expect(adjustments.map(({ reason }) => reason)).toEqual(['empty_list', 'empty_list']);
  });

  it('are those that the operator lists, besides those that are known', () => {
    const served = { ...UNKNOWN, capabilities: { extra_body_fields: ['deferred'] } };
    expect(sentTo(served, { deferred: true, top_k: 4 })).toMatchObject({ deferred: true, top_k: 4 });
  });

  it.each<[Served, string]>([
    [GEMINI, 'prompt_cache_key'],
    [GEMINI, 'store'],
    [MISTRAL, 'prompt_cache_key'],
    [MISTRAL, 'logit_bias'],
    [DEEPSEEK, 'prompt_cache_key'],
    [GPT, 'top_k'],
  ])('are left out where a provider refuses them: to %j no %s', (served, field) => {
    expect(sentTo(served, { [field]: 1 })).not.toHaveProperty(field);
  });

  it('have the names of the provider', () => {
    expect(sentTo(MISTRAL, { seed: 4 })).toMatchObject({ random_seed: 4 });
  });

  it.each(['chat_template_kwargs', 'guided_json', 'stop_token_ids', 'keep_alive', 'repeat_penalty', 'mirostat'])(
    'of servers of one’s own are sent to them: %s',
    (field) => {
      expect(sentTo(UNKNOWN, { [field]: { a: 1 } })).toHaveProperty(field);
    },
  );
});

describe('What an operator says of a model', () => {
  it.each<[ModelCapabilities, object, object]>([
    [{ reasoning: [] }, { reasoning: { effort: 'high' } }, {}],
    [
      { developer_role: true },
      { messages: [{ role: 'developer', content: 'Hi' }] },
      { messages: [{ role: 'developer', content: 'Hi' }] },
    ],
    [{ refused_parameters: [] }, { temperature: 1 }, { temperature: 1 }],
    [{ longest_answer_field: 'max_completion_tokens' }, { max_tokens: 3 }, { max_completion_tokens: 3 }],
  ])('goes before the defaults: %j', (capabilities, fields, expected) => {
    const served: Served = { model: 'openai/o3', provider: 'acme', capabilities };
    const { model: _model, messages, ...sent } = sentTo(served, fields);
    expect({ ...sent, ...('messages' in expected && { messages }) }).toEqual(expected);
  });
});
