import { withMessagesFields } from '../chat/messages-fields.js';
import { adjustmentsOf, CLAUDE, GPT, GPT_4, type Served, sentTo, translated, UNKNOWN } from './translation.fixture.js';

const TOOL = { type: 'function', function: { name: 'look_up', parameters: { type: 'object', properties: {} } } };
const DEEPSEEK: Served = { model: 'deepseek/deepseek-v4-pro', provider: 'deepseek' };
const KIMI: Served = { model: 'moonshotai/kimi-k2.6', provider: 'moonshotai' };
const GLM: Served = { model: 'z-ai/glm-5.1', provider: 'z-ai' };
const QWEN: Served = { model: 'qwen/qwen3.6-plus', provider: 'alibaba' };
const grok = (name: string): Served => ({ model: `x-ai/${name}`, provider: 'xai' });

/** The fields of a body without its model and messages. */
const settingsTo = (served: Served, fields: object): object => {
  const { model: _model, messages: _messages, ...settings } = sentTo(served, fields);
  return settings;
};

describe('Thinking is asked for in the fields of the provider', () => {
  it.each<[Served, object, object]>([
    [DEEPSEEK, { effort: 'none' }, { thinking: { type: 'disabled' } }],
    [DEEPSEEK, { enabled: false }, { thinking: { type: 'disabled' } }],
    [DEEPSEEK, { effort: 'medium' }, { reasoning_effort: 'medium' }],
    [DEEPSEEK, { effort: 'minimal' }, { reasoning_effort: 'low' }],
    [DEEPSEEK, { effort: 'max' }, { reasoning_effort: 'max' }],
    [KIMI, { effort: 'none' }, { thinking: { type: 'disabled' } }],
    [KIMI, { effort: 'low' }, { thinking: { type: 'enabled' } }],
    [{ ...KIMI, model: 'moonshotai/kimi-k2-thinking' }, { effort: 'low' }, {}],
    [{ ...KIMI, model: 'moonshotai/kimi-k3' }, { effort: 'medium' }, { reasoning_effort: 'low' }],
    [GLM, { effort: 'none' }, { thinking: { type: 'disabled' } }],
    [GLM, { enabled: true }, { thinking: { type: 'enabled' } }],
    [{ ...GLM, model: 'z-ai/glm-5.3' }, { effort: 'none' }, { reasoning_effort: 'low' }],
    [QWEN, { effort: 'none' }, { enable_thinking: false }],
    [QWEN, { max_tokens: 2_000 }, { enable_thinking: true }],
    [grok('grok-4'), { effort: 'low' }, {}],
    [grok('grok-4.20'), { effort: 'low' }, {}],
    [grok('grok-4.20-multi-agent'), { effort: 'xhigh' }, { reasoning_effort: 'xhigh' }],
    [grok('grok-code-fast-1'), { effort: 'high' }, {}],
    [grok('grok-4.3'), { effort: 'xhigh' }, { reasoning_effort: 'high' }],
    [grok('grok-4.3'), { effort: 'none' }, { reasoning_effort: 'none' }],
    [{ ...DEEPSEEK, provider: 'together' }, { effort: 'none' }, { reasoning_effort: 'none' }],
  ])('%j for %j gets %j', (served, reasoning, expected) => {
    expect(settingsTo(served, { reasoning })).toEqual(expected);
  });

  it('also where the Messages form says that there shall be none', () => {
    const reasoning = withMessagesFields({ exclude: true }, { thinking: { type: 'disabled' } });
    expect(settingsTo(DEEPSEEK, { reasoning })).toEqual({ thinking: { type: 'disabled' } });
    expect(settingsTo(GPT, { reasoning })).toEqual({});
  });

  it('and stays as the client itself has written it there', () => {
    const thinking = { type: 'disabled' };
    expect(settingsTo(DEEPSEEK, { thinking })).toEqual({ thinking });
  });
});

describe('A tool that must be called', () => {
  const FORCED = { tools: [TOOL], tool_choice: { type: 'function', function: { name: 'look_up' } } };

  it.each<[Served]>([[DEEPSEEK], [KIMI]])(
    'is not demanded of a model that refuses it while it thinks: %j',
    (served) => {
      for (const choice of ['required', FORCED.tool_choice]) {
        const { body, adjustments } = translated(served, { ...FORCED, tool_choice: choice });
        expect(body).not.toHaveProperty('tool_choice');
        expect(adjustments).toEqual([{ path: 'tool_choice', action: 'left_out', reason: 'refused_while_reasoning' }]);
      }
      expect(translated(served, { tools: [TOOL], tool_choice: 'auto' }).adjustments).toEqual([]);
      expect(settingsTo(served, { tools: [TOOL], tool_choice: 'none' })).toMatchObject({ tool_choice: 'none' });
    },
  );

  it.each<[Served, object]>([
    [DEEPSEEK, { reasoning: { effort: 'none' } }],
    [DEEPSEEK, { thinking: { type: 'disabled' } }],
    [KIMI, { reasoning: { enabled: false } }],
    [QWEN, {}],
    [GPT_4, {}],
    [UNKNOWN, {}],
  ])('is demanded of one that does not think, or does not mind: %j with %j', (served, fields) => {
    expect(settingsTo(served, { ...FORCED, ...fields })).toMatchObject({ tool_choice: FORCED.tool_choice });
  });
});

describe('A schema for the answer', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const fields = {
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ],
  };

  it.each<[Served]>([[DEEPSEEK], [GLM], [{ model: 'meta-llama/llama-3.3-70b-instruct', provider: 'groq' }]])(
    'is said in words where the provider knows only JSON: %j',
    (served) => {
      const { body, adjustments } = translated(served, fields);
      expect(body['response_format']).toEqual({ type: 'json_object' });
      expect(body['messages']).toEqual([
        fields.messages[0],
        { role: 'system', content: expect.stringContaining(JSON.stringify(schema)) as unknown },
        fields.messages[1],
      ]);
      expect(adjustments).toEqual([{ path: 'response_format', action: 'changed', reason: 'schema_in_words' }]);
    },
  );

  it('is said in words to a Claude that has no formats', () => {
    const sent = sentTo({ ...CLAUDE, model: 'anthropic/claude-sonnet-4' }, fields);
    expect(sent).not.toHaveProperty('output_config');
    expect(sent['system']).toHaveLength(2);
  });

  it.each<[Served]>([[GPT], [UNKNOWN], [{ model: 'openai/gpt-oss-120b', provider: 'groq' }]])(
    'is sent to others: %j',
    (served) => {
      expect(sentTo(served, fields)).toMatchObject(fields);
    },
  );

  it.each<[string, Served]>([
    ['Claude', CLAUDE],
    ['a Claude without formats', { ...CLAUDE, model: 'anthropic/claude-sonnet-4' }],
    ['Claude at Bedrock', { ...CLAUDE, provider: 'amazon-bedrock', protocol: 'converse' }],
    [
      'another model at Bedrock',
      { model: 'meta-llama/llama-3.3-70b', provider: 'amazon-bedrock', protocol: 'converse' },
    ],
  ])('is asked for in words of %s where it is JSON without a schema', (_, served) => {
    const translation = translated(served, { ...fields, response_format: { type: 'json_object' } });
    expect(translation.body).not.toHaveProperty('output_config');
    expect(JSON.stringify(translation.body['system'])).toMatch(
      /^\[{[^}]*"Be brief\."},{[^}]*"Answer with nothing but one JSON/,
    );
    expect(adjustmentsOf(translation)).toContain('response_format: json_in_words');
  });

  it('leaves a format without a schema as it is', () => {
    const json = { response_format: { type: 'json_object' } };
    expect(settingsTo(DEEPSEEK, json)).toEqual(json);
  });
});

describe('Fields that a provider or a model refuses', () => {
  it.each<[Served, object]>([
    [KIMI, { temperature: 0.2, top_p: 0.9, n: 1, presence_penalty: 0.1, frequency_penalty: 0.1 }],
    [{ provider: 'groq' }, { prompt_cache_key: 'a', safety_identifier: 'u', store: false, verbosity: 'low' }],
    [
      { ...GPT, model: 'openai/o3' },
      { stop: ['x'], tools: [TOOL], parallel_tool_calls: false },
    ],
    [{ ...GPT, model: 'openai/gpt-5-mini' }, { stop: ['x'] }],
  ])('are left out: %j', (served, fields) => {
    const { tools: _tools, ...settings } = settingsTo(served, fields) as { tools?: unknown };
    expect(settings).toEqual({});
  });

  it('are left out of tools too: an older Claude knows no `strict`', () => {
    const tools = [{ ...TOOL, function: { ...TOOL.function, strict: true } }];
    const older = translated({ ...CLAUDE, model: 'anthropic/claude-sonnet-4' }, { tools });
    expect((older.body['tools'] as object[])[0]).not.toHaveProperty('strict');
    expect(adjustmentsOf(older)).toEqual(['tools.0.function.strict: refused_by_model']);
    expect(sentTo(CLAUDE, { tools })['tools']).toMatchObject([{ strict: true }]);
  });
});

describe('Several instructions', () => {
  it('become one for MiniMax, which takes one message of the system', () => {
    const messages = [
      { role: 'system', content: 'One' },
      { role: 'developer', content: 'Two' },
      { role: 'user', content: 'Hi' },
    ];
    expect(sentTo({ model: 'minimax/minimax-m2.7', provider: 'minimax' }, { messages })['messages']).toEqual([
      { role: 'system', content: 'One\n\nTwo' },
      messages[2],
    ]);
  });
});

describe('Thoughts of which a client has kept only the details', () => {
  it('go back as the text that the provider wants', () => {
    const call = { id: 'c', type: 'function', function: { name: 'look_up', arguments: '{}' } };
    const details = [
      { type: 'reasoning.text', text: 'I ', index: 0 },
      { type: 'reasoning.summary', summary: 'look.', index: 1 },
    ];
    const said = { role: 'assistant', content: null, tool_calls: [call], reasoning_details: details };
    const messages = [said, { role: 'tool', tool_call_id: 'c', content: 'x' }];
    expect(sentTo(DEEPSEEK, { messages })['messages']).toMatchObject([{ reasoning_content: 'I look.' }, {}]);

    const own = [{ ...said, reasoning_content: 'Mine.' }, messages[1]!];
    expect(sentTo(DEEPSEEK, { messages: own })['messages']).toMatchObject([{ reasoning_content: 'Mine.' }, {}]);
  });
});

describe('Sequences at which an answer stops', () => {
  const stop = ['a', 'b', 'c', 'd', 'e'];

  it.each<[string, Served, readonly string[]]>([
    ['the first four', GPT_4, stop.slice(0, 4)],
    ['the first four', { ...GPT_4, provider: 'azure' }, stop.slice(0, 4)],
    ['the first four', { model: 'openai/gpt-oss-120b', provider: 'groq' }, stop.slice(0, 4)],
    ['all', UNKNOWN, stop],
    ['all', { model: 'deepseek/deepseek-v4-pro', provider: 'deepseek' }, stop],
  ])('are %s of those that a client of another form has: %j', (what, served, expected) => {
    const translation = translated(served, { stop });
    expect(translation.body['stop']).toEqual(expected);
    expect(adjustmentsOf(translation)).toEqual(what === 'all' ? [] : ['stop: above_maximum']);
  });
});

describe('Tools that only the Messages form describes', () => {
  const bash = withMessagesFields({ type: 'bash_20250124' }, { type: 'bash_20250124', name: 'bash' });

  it('are left out for a provider of chats, alone with what says how tools are called', () => {
    const alone = translated(UNKNOWN, { tools: [bash], tool_choice: 'auto' });
    expect(Object.keys(alone.body)).toEqual(['model', 'messages']);
    expect(adjustmentsOf(alone)).toEqual([
      'tools.0: tool_of_provider',
      'tools: without_tools',
      'tool_choice: without_tools',
    ]);
    expect(sentTo(UNKNOWN, { tools: [bash, TOOL] })['tools']).toEqual([TOOL]);
    expect(sentTo(CLAUDE, { tools: [bash] })['tools']).toEqual([{ type: 'bash_20250124', name: 'bash' }]);
  });

  it('are not demanded of a provider that has not got them', () => {
    const choiceOf = (name: string): unknown =>
      sentTo(UNKNOWN, { tools: [bash, TOOL], tool_choice: { type: 'function', function: { name } } })['tool_choice'];
    expect(choiceOf('bash')).toBeUndefined();
    expect(choiceOf('look_up')).toEqual({ type: 'function', function: { name: 'look_up' } });
  });
});
