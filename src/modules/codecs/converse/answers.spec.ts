import fc from 'fast-check';
import type { ChatChunk } from '../chat/chat-completion.js';
import { messagesFieldsOf } from '../chat/messages-fields.js';
import { ProviderError } from '../errors/provider-error.js';
import { CONVERSE } from './codec.js';
import { CLAUDE, requestFor, streamed, UPSTREAM } from './converse.fixture.js';

const AS_TOOL = requestFor(
  { schema_as_tool: true, response_formats: ['text'] },
  { response_format: { type: 'json_schema', json_schema: { schema: { type: 'object' } } } },
);

function whole(content: readonly object[], fields: object = {}, request = requestFor({})) {
  const document = { output: { message: { role: 'assistant', content } }, stopReason: 'end_turn', ...fields };
  return CONVERSE.operations.chat.decode([document], request, UPSTREAM, []);
}

const start = (place: number, toolUse: object) =>
  ['contentBlockStart', { contentBlockIndex: place, start: { toolUse } }] as const;
const delta = (place: number, said: object) =>
  ['contentBlockDelta', { contentBlockIndex: place, delta: said, p: 'abcdefghijk' }] as const;
const stop = (place: number) => ['contentBlockStop', { contentBlockIndex: place }] as const;
const end = (stopReason: string | undefined = 'end_turn') => ['messageStop', { stopReason }] as const;
const BEGIN = ['messageStart', { role: 'assistant' }] as const;
const METADATA = [
  'metadata',
  {
    usage: { inputTokens: 3, outputTokens: 5, totalTokens: 28, cacheReadInputTokens: 20, cacheWriteInputTokens: 0 },
    metrics: { latencyMs: 5 },
  },
] as const;

/** What a client puts together of the chunks of a stream. */
function joined(chunks: readonly ChatChunk[]) {
  const choices = chunks.flatMap((chunk) => chunk.choices);
  const calls: { id?: string; name?: string; arguments: string }[] = [];
  for (const { index, id, function: called } of choices.flatMap((choice) => choice.delta.tool_calls ?? [])) {
    calls[index] ??= { arguments: '' };
    if (id !== undefined) calls[index].id = id;
    if (called?.name !== undefined) calls[index].name = called.name;
    calls[index].arguments += called?.arguments ?? '';
  }
  const last = choices.findLast(({ finish_reason: reason }) => reason !== null);
  return {
    content: choices.map((choice) => choice.delta.content ?? '').join(''),
    reasoning: choices.map((choice) => choice.delta.reasoning ?? '').join(''),
    details: choices.flatMap((choice) => choice.delta.reasoning_details ?? []),
    calls,
    finish: [last?.finish_reason, last?.native_finish_reason],
  };
}

describe('An answer of Converse', () => {
  it('says its texts, with those that cite something, its thoughts and its calls', () => {
    const content = [
      { reasoningContent: { reasoningText: { text: 'hm', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'ZW5j' } },
      { text: 'Hello' },
      { citationsContent: { content: [{ text: ' world' }, { text: '!' }], citations: [] } },
      { toolUse: { toolUseId: 'tooluse_1', name: 'f', input: { a: 1 } } },
      { toolUse: { toolUseId: 'tooluse_2', name: 'g' } },
      { toolUse: { toolUseId: 'srv_1', name: 'search', type: 'server_tool_use', input: {} } },
      { toolResult: { toolUseId: 'srv_1', content: [] } },
      { somethingNew: {} },
    ];
    const { choices, ...answer } = whole(content, { stopReason: 'tool_use', serviceTier: { type: 'flex' } });
    expect(choices[0]).toEqual({
      index: 0,
      message: {
        role: 'assistant',
        content: 'Hello world!',
        reasoning: 'hm',
        reasoning_details: [
          { type: 'reasoning.text', format: 'amazon-converse-v1', index: 0, text: 'hm', signature: 'c2ln' },
          { type: 'reasoning.encrypted', format: 'amazon-converse-v1', index: 1, id: 'after-0-0', data: 'ZW5j' },
        ],
        tool_calls: [
          { id: 'tooluse_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
          { id: 'tooluse_2', type: 'function', function: { name: 'g', arguments: '{}' } },
        ],
      },
      finish_reason: 'tool_calls',
      native_finish_reason: 'tool_use',
    });
    expect(answer).toMatchObject({ upstreamId: null, usage: null, serviceTier: 'flex' });
  });

  it('has thoughts of a model of Anthropic’s in the format that they have everywhere', () => {
    const content = [{ reasoningContent: { reasoningText: { text: 'hm', signature: 'c2ln' } } }, { text: 'Hi' }];
    const { message } = whole(content, {}, requestFor(CLAUDE)).choices[0]!;
    expect(message.reasoning_details).toMatchObject([{ format: 'anthropic-claude-v1' }]);
  });

  it('keeps the order of its blocks, and where it stopped', () => {
    const content = [{ text: 'a' }, { reasoningContent: { reasoningText: { text: 'b', signature: 's' } } }];
    const fields = { stopReason: 'stop_sequence', additionalModelResponseFields: { stop_sequence: 'END' } };
    const [choice] = whole(content, fields, requestFor(CLAUDE)).choices;
    expect(messagesFieldsOf(choice)).toEqual({
      stop_sequence: 'END',
      block_order: [
        { kind: 'text', length: 1 },
        { kind: 'thought', length: 0 },
      ],
    });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['tool_use', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'content_filter'],
    ['content_filtered', 'content_filter'],
    ['refusal', 'content_filter'],
    ['malformed_model_output', 'error'],
    ['a_new_word', 'stop'],
  ])('that ends with %s has ended with %s, whole and streamed', (word, reason) => {
    const [choice] = whole([{ text: 'a' }], { stopReason: word }).choices;
    expect([choice!.finish_reason, choice!.native_finish_reason]).toEqual([reason, word]);
    const read = (): unknown => joined(streamed([BEGIN, delta(0, { text: 'a' }), end(word), METADATA])).finish;
    if (reason === 'error') expect(read).toThrow('malformed');
    else expect(read()).toEqual([reason, word]);
  });

  it('with calls has ended with them, unless it was cut', () => {
    const call = { toolUse: { toolUseId: 't', name: 'f', input: {} } };
    expect(whole([call]).choices[0]!.finish_reason).toBe('tool_calls');
    expect(whole([call], { stopReason: 'max_tokens' }).choices[0]!.finish_reason).toBe('length');
    const events = [start(0, { toolUseId: 't', name: 'f' }), stop(0)];
    expect(joined(streamed([...events, end()])).finish).toEqual(['tool_calls', 'end_turn']);
    expect(joined(streamed([...events, end('max_tokens')])).finish).toEqual(['length', 'max_tokens']);
    expect(joined(streamed([...events, ['messageStop', {}]])).finish).toEqual(['tool_calls', null]);
  });

  it('that is malformed fails, or shows why beside what it has said', () => {
    expect(() => whole([], { stopReason: 'malformed_tool_use' })).toThrow(
      expect.objectContaining({ kind: 'refused', status: 502, code: 'malformed_tool_use' }) as Error,
    );
    const [choice] = whole([{ text: 'a' }], { stopReason: 'malformed_tool_use' }).choices;
    expect(choice!.error).toEqual({ code: 502, message: 'The model’s answer is malformed.' });
  });

  it.each([{}, { output: {} }, { output: { message: {} } }, { message: 'Sorry' }, [], null, 'x'])(
    'in the form of %j is invalid',
    (document) => {
      expect(() => CONVERSE.operations.chat.decode([document], requestFor({}), UPSTREAM, [])).toThrow(ProviderError);
    },
  );

  it('that is empty is invalid without a reason, and complete with one', () => {
    expect(() => whole([], { stopReason: undefined })).toThrow('is empty');
    expect(whole([]).choices[0]!.message.content).toBeNull();
    expect(whole([{ text: 'a' }], { stopReason: undefined }).choices[0]).toMatchObject({
      finish_reason: 'stop',
      native_finish_reason: null,
    });
  });

  it('of JSON is what the model calls the tool for it with, whole and streamed', () => {
    const content = [{ toolUse: { toolUseId: 't', name: 'answer_in_json', input: { a: 1 } } }];
    const [choice] = whole(content, { stopReason: 'tool_use' }, AS_TOOL).choices;
    expect(choice).toMatchObject({ message: { content: '{"a":1}' }, finish_reason: 'stop' });
    const begun = start(0, { toolUseId: 't', name: 'answer_in_json' });
    const events = [BEGIN, begun, delta(0, { toolUse: { input: '{"a":' } }), delta(0, { toolUse: { input: '1}' } })];
    const read = joined(streamed([...events, stop(0), end('tool_use'), METADATA], AS_TOOL));
    expect(read).toMatchObject({ content: '{"a":1}', calls: [], finish: ['stop', 'tool_use'] });
    expect(joined(streamed([begun, end('tool_use')], AS_TOOL)).content).toBe('{}');
  });

  it('streamed says what it says whole, without events for where texts and thoughts begin', () => {
    const chunks = streamed([
      BEGIN,
      delta(0, { reasoningContent: { text: 'h' } }),
      delta(0, { reasoningContent: { text: 'm' } }),
      delta(0, { reasoningContent: { signature: 'c2ln' } }),
      stop(0),
      delta(1, { reasoningContent: { redactedContent: 'ZW5j' } }),
      stop(1),
      delta(2, { text: 'Hel' }),
      delta(2, { text: 'lo' }),
      stop(2),
      start(3, { toolUseId: 'tooluse_1', name: 'f' }),
      delta(3, { toolUse: { input: '{"a":' } }),
      start(4, { toolUseId: 'tooluse_2', name: 'g' }),
      delta(4, { toolUse: { input: '' } }),
      delta(3, { toolUse: { input: '1}' } }),
      stop(3),
      stop(4),
      end('tool_use'),
      METADATA,
    ]);
    expect(joined(chunks)).toEqual({
      content: 'Hello',
      reasoning: 'hm',
      details: [
        { type: 'reasoning.text', format: 'amazon-converse-v1', index: 0, text: 'h' },
        { type: 'reasoning.text', format: 'amazon-converse-v1', index: 0, text: 'm' },
        { type: 'reasoning.text', format: 'amazon-converse-v1', index: 0, signature: 'c2ln' },
        { type: 'reasoning.encrypted', format: 'amazon-converse-v1', index: 1, id: 'after-0-0', data: 'ZW5j' },
      ],
      calls: [
        { id: 'tooluse_1', name: 'f', arguments: '{"a":1}' },
        { id: 'tooluse_2', name: 'g', arguments: '{}' },
      ],
      finish: ['tool_calls', 'tool_use'],
    });
    expect(chunks.at(-1)).toEqual({
      choices: [],
      usage: {
        prompt_tokens: 23,
        completion_tokens: 5,
        total_tokens: 28,
        prompt_tokens_details: { cached_tokens: 20, cache_write_tokens: 0 },
      },
    });
  });

  it('streamed has no part of what the provider’s own tools do, and of kinds that are not known', () => {
    const events = [
      start(0, { toolUseId: 's', name: 'search', type: 'server_tool_use' }),
      delta(0, { toolUse: { input: '{}' } }),
      stop(0),
      ['contentBlockStart', { contentBlockIndex: 1, start: { toolResult: { toolUseId: 's' } } }],
      delta(1, { toolResult: [{ text: 'found' }] }),
      delta(2, { text: 'a' }),
      delta(2, { citation: { title: 'b' } }),
      ['somethingNew', { a: 1 }],
      end(),
    ] as const;
    expect(joined(streamed(events))).toEqual({
      content: 'a',
      reasoning: '',
      details: [],
      calls: [],
      finish: ['stop', 'end_turn'],
    });
  });

  it('streamed gives calls that do not end, or that another begins within, their arguments', () => {
    const begun = start(0, { toolUseId: 'a', name: 'f' });
    expect(joined(streamed([begun, start(0, { toolUseId: 'b', name: 'g' }), end('tool_use')])).calls).toEqual([
      { id: 'a', name: 'f', arguments: '{}' },
      { id: 'b', name: 'g', arguments: '{}' },
    ]);
  });

  it('streamed is broken off without its end, and complete without its usage', () => {
    expect(() => streamed([BEGIN, delta(0, { text: 'a' }), stop(0)])).toThrow('broke off');
    expect(() => streamed([])).toThrow('broke off');
    expect(joined(streamed([BEGIN, delta(0, { text: 'a' }), end()]))).toMatchObject({ content: 'a' });
  });

  it('streamed fails with the exception in it, whatever came before', () => {
    const error = { type: 'modelStreamErrorException', message: 'Failed', originalStatusCode: 429 };
    for (const before of [[], [BEGIN, delta(0, { text: 'a' })], [BEGIN, end()]]) {
      expect(() => streamed([...before, ['error', { error }]])).toThrow(
        expect.objectContaining({ kind: 'refused', status: 429, code: 'modelStreamErrorException' }) as Error,
      );
    }
  });

  it('that comes whole in place of a stream is read', () => {
    const decoder = CONVERSE.operations.chat.streamDecoder(requestFor({}), UPSTREAM);
    const content = [{ text: 'a' }, { toolUse: { toolUseId: 't', name: 'f', input: {} } }];
    const data = JSON.stringify({ output: { message: { content } }, stopReason: 'tool_use' });
    const chunk = decoder.read({ event: undefined, data })!;
    expect(joined([chunk])).toMatchObject({ content: 'a', calls: [{ id: 't' }], finish: ['tool_calls', 'tool_use'] });
    expect([decoder.hasFinished(), decoder.isLast({ event: undefined, data: '[DONE]' })]).toEqual([true, true]);
    decoder.ended();
  });

  it.each([
    [{ inputTokens: 3, outputTokens: 5 }, [3, 0, 0, 5, 8]],
    [{ inputTokens: 3, outputTokens: 5, cacheReadInputTokens: 20, cacheWriteInputTokens: 7 }, [30, 20, 7, 5, 35]],
    [{ inputTokens: 3, outputTokens: 5, cacheReadInputTokenCount: 2, cacheWriteInputTokenCount: 1 }, [6, 2, 1, 5, 11]],
    [{ inputTokens: 0, outputTokens: 0, totalTokens: 0 }, [0, 0, 0, 0, 0]],
  ])('that counts %j has these tokens', (usage, [prompt, cached, written, completion, total]) => {
    const counted = whole([{ text: 'a' }], { usage });
    expect(counted.usage).toEqual({
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: total,
      prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    });
    expect(counted).not.toHaveProperty('isAnswerUncounted');
    expect(CONVERSE.countedIn({ usage })?.usage).toEqual(counted.usage);
  });

  it('says how long what was written to a cache stays there', () => {
    const cacheDetails = [
      { ttl: '5m', inputTokens: 4 },
      { ttl: '1h', inputTokens: 3 },
      { ttl: '7d', inputTokens: 1 },
    ];
    const usage = { inputTokens: 1, outputTokens: 1, cacheWriteInputTokens: 8, cacheDetails };
    expect(messagesFieldsOf(whole([{ text: 'a' }], { usage }).usage)).toMatchObject({
      cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 3 },
    });
  });

  it('counts what is counted of it alone', () => {
    expect(whole([{ text: 'a' }], { usage: { inputTokens: 3 } })).toMatchObject({ isAnswerUncounted: true });
    expect(whole([{ text: 'a' }], { usage: { outputTokens: 3 } })).toMatchObject({ isPromptUncounted: true });
    expect(whole([{ text: 'a' }], { usage: { inputTokens: 'many', cacheDetails: 7 } }).usage).toBeNull();
  });

  it('of any form is read, or a failure of its provider', () => {
    const key = fc.constantFrom(
      ...['output', 'message', 'content', 'text', 'toolUse', 'toolUseId', 'name', 'input', 'reasoningContent'],
      ...['reasoningText', 'signature', 'redactedContent', 'citationsContent', 'stopReason', 'usage', 'delta', 'start'],
      ...['contentBlockIndex', 'inputTokens', 'cacheDetails', 'ttl', 'additionalModelResponseFields', 'serviceTier'],
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'medium' },
        fc.constantFrom(null, 0, 1, -1, '', 'tool_use', 'malformed_tool_use', 'answer_in_json', '5m', 'text', true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5 }),
      ),
    }));
    const type = fc.constantFrom(
      'messageStart',
      'contentBlockStart',
      'contentBlockDelta',
      'contentBlockStop',
      'messageStop',
      'metadata',
    );
    const attempted = (read: () => unknown): void => {
      try {
        read();
      } catch (error) {
        expect(error).toBeInstanceOf(ProviderError);
      }
    };
    fc.assert(
      fc.property(fc.array(fc.tuple(type, fc.dictionary(key, value)), { maxLength: 8 }), value, (events, document) => {
        attempted(() => streamed(events, AS_TOOL));
        attempted(() => whole(document as never, {}, AS_TOOL));
        attempted(() => CONVERSE.operations.chat.decode([document], AS_TOOL, UPSTREAM, []));
        attempted(() => CONVERSE.countedIn(document));
      }),
      { numRuns: 500 },
    );
  });
});
