import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { withMessagesFields } from '../chat/messages-fields.js';
import { adjustmentsOf, CLAUDE, GPT, type Served, translated } from './translation.fixture.js';

const PARAMETERS = { type: 'object', properties: { word: { type: 'string' } } };
const TOOL = { type: 'function', function: { name: 'look_up', parameters: PARAMETERS } };
const LETTER = 'https://images.example/x.png';
const HIGH = { reasoning: { effort: 'high' } };
const CODEX: Served = { ...GPT, model: 'openai/gpt-5.3-codex' };
const SERVED_THERE_ALONE: Served = { provider: 'acme', capabilities: { operations: ['responses'] } };

const asking = (reasoning: object, fields: object): object => ({
  reasoning: withMessagesFields(reasoning, fields as never),
});

describe('A provider whose connection is one for chats', () => {
  it.each<[string, Served, object]>([
    ['tools beside an effort', GPT, { ...HIGH, tools: [TOOL] }],
    ['tools beside a number of tokens for thoughts', GPT, { reasoning: { max_tokens: 4_000 }, tools: [TOOL] }],
    ['tools beside the effort of the model itself', GPT, { tools: [TOOL] }],
    ['tools beside thoughts of the Messages form', GPT, { ...asking({ enabled: true }, {}), tools: [TOOL] }],
    ['tools beside an effort, at Azure', { ...GPT, provider: 'azure' }, { ...HIGH, tools: [TOOL] }],
    ['whatever a model gets that is served there alone', CODEX, {}],
    ['whatever a model gets of which its import says that', SERVED_THERE_ALONE, {}],
  ])('is asked in the Responses interface for %s', (_what, served, fields) => {
    expect(translated(served, fields)).toMatchObject({
      dialect: 'openai-responses',
      body: { store: false, include: ['reasoning.encrypted_content'] },
    });
  });

  it.each<[string, Served, object]>([
    ['an effort without tools', GPT, HIGH],
    ['an effort beside an empty list of tools', GPT, { ...HIGH, tools: [] }],
    ['tools beside the effort none', GPT, { reasoning: { effort: 'none' }, tools: [TOOL] }],
    ['tools beside thoughts that are turned off', GPT, { reasoning: { enabled: false }, tools: [TOOL] }],
    [
      'tools beside thoughts that the Messages form turns off',
      GPT,
      { ...asking({ exclude: true }, { thinking: { type: 'disabled' } }), tools: [TOOL] },
    ],
    ['tools of a model that does not think by itself', { ...GPT, model: 'openai/gpt-5.4' }, { tools: [TOOL] }],
    ['tools of a model that does not think', { ...GPT, model: 'openai/gpt-4.1' }, { ...HIGH, tools: [TOOL] }],
    ['tools of a model that thinks beside them', { ...GPT, model: 'openai/gpt-5-mini' }, { ...HIGH, tools: [TOOL] }],
    ['a tool without a form there', GPT, { ...HIGH, tools: [TOOL, { type: 'custom', custom: { name: 'patch' } }] }],
    ['a provider of which nothing is known', { ...GPT, provider: 'acme' }, { ...HIGH, tools: [TOOL] }],
    [
      'an address of which its operator says that it has chats alone',
      { ...GPT, capabilities: { operations: ['chat'] } },
      { ...HIGH, tools: [TOOL] },
    ],
    ['an operation that its connection cannot call', { capabilities: { operations: ['messages'] } }, {}],
  ])('is asked for chats for %s', (_what, served, fields) => {
    expect(translated(served, fields).dialect).toBe('openai');
  });

  it('gets no thoughts behind which an answer that broke off has nothing', () => {
    const thought = (id: string): object => ({
      type: 'reasoning.encrypted',
      format: 'openai-responses-v1',
      id,
      data: 'x',
    });
    const [first, second] = [thought('rs_1'), thought('rs_2')];
    const translation = translated(GPT, {
      ...HIGH,
      tools: [TOOL],
      messages: [
        { role: 'assistant', content: null, reasoning_details: [first, second] },
        { role: 'user', content: 'Go on' },
        { role: 'assistant', content: 'Well', reasoning_details: [first, second] },
        { role: 'assistant', content: null, reasoning_details: [first] },
      ],
    });
    const items = translation.body['input'] as readonly { type: string; id?: string }[];
    expect(items.map(({ type, id }) => id ?? type)).toEqual(['message', 'rs_1', 'rs_2', 'message']);
    expect(adjustmentsOf(translation)).toEqual(['messages.*.reasoning_details: thoughts_without_answer']);
  });

  it('gets the refusal of an earlier answer from a field and from a part', () => {
    const refused = { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] };
    const { body } = translated(GPT, { ...HIGH, tools: [TOOL], messages: [refused, { ...refused, content: 'Well' }] });
    expect(body['input']).toEqual([
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Well', annotations: [] }] },
    ]);
  });

  it('gets a request of the Responses interface as OpenAI’s own client types it, with nothing left out', () => {
    const breakpoint = { prompt_cache_breakpoint: { mode: 'explicit' } };
    const thought = { type: 'reasoning.encrypted', format: 'openai-responses-v1', id: 'rs_1', data: 'opaque' };
    const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{"word":"x"}' } };
    const translation = translated(GPT, {
      ...HIGH,
      max_tokens: 8_000,
      tools: [TOOL],
      tool_choice: 'auto',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'What is x?', ...breakpoint }] },
        { role: 'assistant', content: null, tool_calls: [call], reasoning_details: [thought] },
        { role: 'tool', tool_call_id: 'call_1', content: [{ type: 'image_url', image_url: { url: LETTER } }] },
      ],
    });
    const expected: ResponseCreateParamsNonStreaming = {
      model: 'up',
      input: [
        { type: 'message', role: 'system', content: [{ type: 'input_text', text: 'Be brief.' }] },
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: 'What is x?', prompt_cache_breakpoint: { mode: 'explicit' } }],
        },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'opaque' },
        { type: 'function_call', call_id: 'call_1', name: 'look_up', arguments: '{"word":"x"}' },
        {
          type: 'function_call_output',
          call_id: 'call_1',
          output: [{ type: 'input_image', image_url: LETTER, detail: 'auto' }],
        },
      ],
      max_output_tokens: 8_000,
      tools: [{ type: 'function', name: 'look_up', parameters: PARAMETERS, strict: false }],
      tool_choice: 'auto',
      reasoning: { effort: 'high', summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      store: false,
    };

    expect(translation.body).toEqual(expected);
    expect(adjustmentsOf(translation)).toEqual([]);
  });

  it('gets in the Responses interface what that knows, and not what a provider of chats is known to take', () => {
    const options = { prompt_cache_options: { mode: 'explicit' } };
    const translation = translated(SERVED_THERE_ALONE, { ...options, seed: 7 });

    expect(translation.body).toMatchObject(options);
    expect(adjustmentsOf(translation)).toEqual(['seed: not_in_dialect']);
  });

  it('gets in the Responses interface only the tools that a search has found, and no marks that it is not known to have', () => {
    const deferred = withMessagesFields(TOOL, { defer_loading: true });
    const other = { type: 'function', function: { name: 'write', parameters: PARAMETERS } };
    const marked = { type: 'text', text: 'Hi', prompt_cache_breakpoint: { mode: 'explicit' } };
    const translation = translated(SERVED_THERE_ALONE, {
      tools: [deferred, other],
      messages: [{ role: 'user', content: [marked] }],
    });

    expect(translation.body).toMatchObject({ tools: [{ name: 'write' }], input: [{ content: [{ text: 'Hi' }] }] });
    expect(JSON.stringify(translation.body)).not.toContain('prompt_cache_breakpoint');
    expect(adjustmentsOf(translation)).toEqual(['tools: tool_not_found_yet']);
  });
});

describe('A provider whose connection is of another protocol', () => {
  it.each<[Served]>([[CLAUDE], [{ ...GPT, protocol: 'openai-responses' }]])('is asked in that one: %j', (served) => {
    expect(translated(served, { ...HIGH, tools: [TOOL] }).dialect).toBe(served.protocol);
  });
});
