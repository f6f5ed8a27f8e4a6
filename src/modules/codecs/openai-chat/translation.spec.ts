import type { ChatChunk } from '../chat/chat-completion.js';
import type { JsonObject } from '../chat/json-values.js';
import { ChunkDecoder } from './stream-decoder.js';
import { completionOf } from './answer-decoder.js';
import { requestBody } from './request-encoder.js';
import { countedUsageOf } from './usage.js';

const OWN = { type: 'reasoning.encrypted', format: 'openai-responses-v1', data: 'x' };

const GENERATED_ID = expect.stringMatching(/^call_[0-9a-f]{32}$/) as string;

/** The first chunk of a stream. */
function chunkOf(chunk: JsonObject): ChatChunk {
  return new ChunkDecoder().read(chunk);
}

describe('The form of OpenAI', () => {
  it.each([
    [{ effort: 'high' }, 1_000, 'high'],
    [{ effort: 'max' }, 1_000, 'max'],
    [{ effort: 'none' }, 1_000, 'none'],
    [{ enabled: true }, 1_000, 'medium'],
    [{ enabled: false, effort: 'high' }, 1_000, 'none'],
    [{ max_tokens: 900 }, 1_000, 'xhigh'],
    [{ max_tokens: 250 }, 1_000, 'low'],
    [{ max_tokens: 1 }, 1_000, 'minimal'],
    [{ max_tokens: 250 }, undefined, 'medium'],
    [{ exclude: true }, 1_000, undefined],
  ] as const)('has for the reasoning %j within %p tokens the effort %p', (reasoning, longest, effort) => {
    const request = {
      model: 'small',
      messages: [],
      reasoning,
      ...(longest === undefined ? {} : { max_tokens: longest }),
    };
    const body = requestBody(request, false) as Record<string, unknown>;
    expect(body['reasoning_effort']).toBe(effort);
    expect(body).not.toHaveProperty('reasoning');
    expect(body['max_tokens']).toBe(longest);
  });

  it.each([
    [
      { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
      { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
    ],
    [
      {
        prompt_tokens: 10,
        completion_tokens: 4,
        total_tokens: 34,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      {
        prompt_tokens: 10,
        completion_tokens: 24,
        total_tokens: 34,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    ],
    [
      {
        prompt_tokens: 10,
        completion_tokens: 4,
        total_tokens: 14,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
      {
        prompt_tokens: 10,
        completion_tokens: 24,
        total_tokens: 34,
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 4, reasoning_tokens: 3 },
      { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, completion_tokens_details: { reasoning_tokens: 3 } },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 6 },
      { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11, prompt_tokens_details: { cached_tokens: 6 } },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 8 } },
      {
        prompt_tokens: 10,
        completion_tokens: 1,
        total_tokens: 11,
        prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 2 },
      },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11, prompt_tokens_details: { cached_tokens: 12 } },
      { prompt_tokens: 22, completion_tokens: 1, total_tokens: 23, prompt_tokens_details: { cached_tokens: 12 } },
    ],
    [
      { input_tokens: 10, output_tokens: 4, input_tokens_details: { cached_tokens: 6 } },
      { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14, prompt_tokens_details: { cached_tokens: 6 } },
    ],
    [
      { completion_tokens: 4, total_tokens: 14 },
      { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 },
    ],
    [{ prompt_tokens: -1 }, null],
    [{ prompt_tokens: '10' }, null],
    [null, null],
  ])('has in the usage %j the tokens %j', (usage, expected) => {
    expect(countedUsageOf(usage)?.usage ?? null).toEqual(expected);
  });

  it.each([
    [{ prompt_tokens: 10 }, true],
    [{ prompt_tokens: 10, completion_tokens: -1 }, true],
    [{ prompt_tokens: 10, completion_tokens: 1e300, total_tokens: 'many' }, true],
    [{ prompt_tokens: 10, completion_tokens: 0 }, undefined],
    [{ prompt_tokens: 10, total_tokens: 10 }, undefined],
    [{ prompt_tokens: -1 }, undefined],
  ])('says of the usage %j whether the tokens of the answer are not counted: %j', (usage, expected) => {
    const choices = [{ message: { content: 'Hi' }, delta: { content: 'Hi' } }];
    expect(completionOf({ choices, usage }).isAnswerUncounted).toBe(expected);
    expect(chunkOf({ choices, usage }).isAnswerUncounted).toBe(expected);
  });

  it.each([
    [{ completion_tokens: 4 }, { prompt_tokens: 0, completion_tokens: 4, total_tokens: 4 }, undefined],
    [{ total_tokens: 14 }, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 14 }, true],
    [{ completion_tokens: 4, total_tokens: 4 }, { prompt_tokens: 0, completion_tokens: 4, total_tokens: 4 }, undefined],
  ])('says of the usage %j that the tokens of the prompt are not counted', (usage, expected, isAnswerUncounted) => {
    const { usage: read, ...flags } = chunkOf({ choices: [], usage });
    expect(read).toEqual(expected);
    expect(flags).toMatchObject({ isPromptUncounted: true });
    expect(flags.isAnswerUncounted).toBe(isAnswerUncounted);
  });

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['insufficient_system_resource', 'error'],
    ['eos', 'stop'],
    ['abort', 'error'],
    ['MALFORMED_FUNCTION_CALL', 'error'],
    ['SAFETY', 'content_filter'],
    ['content_filter: RECITATION', 'content_filter'],
    ['refusal', 'content_filter'],
    ['max_output_tokens', 'length'],
    ['function_calls', 'tool_calls'],
    ['network_error', 'error'],
    ['function_call_filter: MALFORMED_FUNCTION_CALL', 'error'],
    ['UNEXPECTED_TOOL_CALL', 'error'],
    ['IMAGE_SAFETY', 'content_filter'],
  ])('ends with %p as %p for clients, and with no call that is not there', (native, expected) => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } }];
    const ended = (message: object): unknown =>
      completionOf({ choices: [{ message: { content: '', ...message }, finish_reason: native }] }).choices[0];
    const streamed = (delta: object): unknown =>
      new ChunkDecoder().read({ choices: [{ index: 0, delta, finish_reason: native }] }).choices[0];
    const isOwn = expected === 'stop' || expected === 'tool_calls';
    for (const read of [ended, streamed]) {
      expect(read({ tool_calls: calls })).toMatchObject({
        finish_reason: isOwn ? 'tool_calls' : expected,
        native_finish_reason: native,
      });
      expect(read({ content: 'No.' })).toMatchObject({
        finish_reason: isOwn ? 'stop' : expected,
        native_finish_reason: native,
      });
    }
  });

  it.each(['null', 'NULL', ''])('has no finish reason where a provider says %j in its place', (native) => {
    const { choices } = completionOf({ choices: [{ message: { content: '' }, finish_reason: native }] });
    expect(choices[0]).toMatchObject({ finish_reason: null, native_finish_reason: null });
  });

  it('has an empty message where a filter of the provider has left none, and refuses a choice without one otherwise', () => {
    const { choices } = completionOf({ choices: [{ finish_reason: 'content_filter: PROHIBITED_CONTENT' }] });
    expect(choices[0]).toMatchObject({ message: { content: null }, finish_reason: 'content_filter' });
    for (const finish_reason of ['stop', null]) {
      expect(() => completionOf({ choices: [{ finish_reason }] })).toThrow('without a message');
    }
  });

  it.each([
    ['stop', { content: 'x' }, 'stop'],
    ['stop', { content: '' }, 'stop'],
    ['stop', { tool_calls: [{}] }, 'tool_calls'],
    ['eos', { tool_calls: [{}] }, 'tool_calls'],
    ['length', { tool_calls: [{}] }, 'length'],
    [null, { tool_calls: [{}] }, 'tool_calls'],
    [undefined, { content: 'x' }, 'stop'],
    [null, { content: '', annotations: [], reasoning: null }, null],
  ])('ends with %p in a whole answer of %j as %p', (native, message, expected) => {
    const { choices } = completionOf({ choices: [{ message, finish_reason: native }] });
    expect(choices[0]).toMatchObject({ finish_reason: expected, native_finish_reason: native ?? null });
  });

  it('has tool calls with no arguments where an answer was cut before them, and with an empty object elsewhere', () => {
    const message = { tool_calls: [{ function: { name: 'stop', arguments: '' } }] };
    for (const [reason, expected] of [
      ['tool_calls', '{}'],
      [null, '{}'],
      ['length', ''],
    ] as const) {
      const { choices } = completionOf({ choices: [{ message, finish_reason: reason }] });
      expect(choices[0]!.message.tool_calls![0]!.function.arguments).toBe(expected);
    }
  });

  it('has tool calls with an empty object where a provider says null for no arguments', () => {
    const called = { id: 'c', function: { name: 'stop', arguments: 'null' } };
    const { message } = completionOf({ choices: [{ message: { tool_calls: [called] } }] }).choices[0]!;
    expect(message.tool_calls![0]!.function).toEqual({ name: 'stop', arguments: '{}' });
  });

  it('hands on fields of a choice that have a value, but for its error', () => {
    const others = { content_filter_results: { hate: { filtered: false } }, stop_reason: null, logprobs: null };
    const given = { ...others, index: 0, native_finish_reason: 'x', error: { message: 'Lost' }, finish_reason: null };
    const expected = {
      index: 0,
      finish_reason: null,
      native_finish_reason: null,
      content_filter_results: { hate: { filtered: false } },
      logprobs: null,
    };
    const [whole] = completionOf({ choices: [{ ...given, message: { content: '' } }] }).choices;
    const [streamed] = chunkOf({ choices: [{ ...given, delta: {} }] }).choices;
    expect(whole).toEqual({ ...expected, message: { role: 'assistant', content: '' } });
    expect(streamed).toEqual({ ...expected, delta: {} });
  });

  it('has tool calls with ids, and with arguments that are a text', () => {
    const message = {
      content: null,
      tool_calls: [
        { function: { name: 'look_up', arguments: { word: 'a' } } },
        { id: 'c', function: { name: 'stop' } },
      ],
    };
    expect(completionOf({ choices: [{ message }] }).choices[0]!.message).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: GENERATED_ID, type: 'function', function: { name: 'look_up', arguments: '{"word":"a"}' } },
        { id: 'c', type: 'function', function: { name: 'stop', arguments: '{}' } },
      ],
    });
  });

  it('hands on fields of tool calls that the gateway does not know and that have a value, both ways', () => {
    const signature = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
    const call = {
      id: 'c',
      type: 'function' as const,
      function: { name: 'stop', arguments: '{}', note: 'n' },
      ...signature,
    };
    const given = { ...call, index: 7, function: { ...call.function, cut: null }, empty: null };
    const { message } = completionOf({ choices: [{ message: { tool_calls: [given] } }] }).choices[0]!;
    expect(message.tool_calls).toEqual([call]);
    const sent = requestBody({ model: 'small', messages: [message] }, false) as { messages: unknown[] };
    expect(sent.messages).toMatchObject([{ role: 'assistant', content: null, tool_calls: [call] }]);
  });

  it.each([
    [10_000, 'choices', (list: object[]) => ({ choices: list })],
    [
      2_000,
      'calls of tools',
      (list: object[]) => ({ choices: [{ message: { tool_calls: list }, delta: { tool_calls: list } }] }),
    ],
    [
      10_000,
      'details of the reasoning',
      (list: object[]) => ({ choices: [{ message: { reasoning_details: list }, delta: { reasoning_details: list } }] }),
    ],
  ])('has at most %i %s', (most, _, answerWith) => {
    const list = (length: number): object[] => Array.from({ length }, () => ({ message: {}, delta: {} }));
    for (const read of [completionOf, chunkOf]) {
      expect(() => read(answerWith(list(most)))).not.toThrow();
      expect(() => read(answerWith(list(most + 1)))).toThrow(expect.objectContaining({ kind: 'invalid' }));
    }
  });

  it('has reasoning under one name, wherever a provider puts it, and hands other fields on', () => {
    for (const said of [
      { reasoning: 'Why?', content: 'So.' },
      { reasoning_content: 'Why?', content: 'So.' },
      { thinking: 'Why?', content: ['S', { type: 'output_text', text: 'o.' }] },
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Why?' }] },
          { type: 'text', text: 'So.' },
        ],
      },
    ]) {
      const read = { content: 'So.', reasoning: 'Why?', images: ['i'] };
      expect(completionOf({ choices: [{ message: { ...said, images: ['i'] } }] }).choices[0]!.message).toMatchObject(
        read,
      );
      expect(chunkOf({ choices: [{ delta: { ...said, images: ['i'] } }] }).choices[0]!.delta).toEqual(read);
    }
  });

  it('has parts of tool calls in chunks, with or without an index', () => {
    const delta = {
      tool_calls: [
        { id: 'c', function: { name: 'look_up' } },
        { index: 4, function: { arguments: '{' } },
      ],
    };
    expect(chunkOf({ choices: [{ delta }] }).choices[0]!.delta.tool_calls).toEqual([
      { index: 0, id: 'c', type: 'function', function: { name: 'look_up', arguments: '' } },
      { index: 4, id: GENERATED_ID, type: 'function', function: { arguments: '{' } },
    ]);
  });

  it.each(['-1', '1.5', '1e400', '"1"', 'null'])('has for the index %s the place at which it stands', (index) => {
    const other = '{"index":0,"delta":{},"message":{"content":""}}';
    const call = `{"index":${index},"function":{}}`;
    const odd = `{"index":${index},"delta":{"tool_calls":[{},${call}]},"message":{"content":""}}`;
    const document = JSON.parse(`{"choices":[${other},${odd}]}`) as JsonObject;

    expect(completionOf(document).choices[1]!.index).toBe(1);
    const [, choice] = chunkOf(document).choices;
    expect([choice!.index, choice!.delta.tool_calls![1]!.index]).toEqual([1, 1]);
  });

  it.each(['text', { type: 'reasoning.text' }, 5, [null, 'x', [OWN]]])(
    'has no details of reasoning but objects in a list: not %j',
    (details) => {
      const message = { content: 'x', reasoning_details: details };
      expect(completionOf({ choices: [{ message }] }).choices[0]!.message).not.toHaveProperty('reasoning_details');
      expect(chunkOf({ choices: [{ delta: message }] }).choices[0]!.delta).not.toHaveProperty('reasoning_details');
      const mixed = { content: 'x', reasoning_details: [null, OWN] };
      expect(chunkOf({ choices: [{ delta: mixed }] }).choices[0]!.delta.reasoning_details).toEqual([OWN]);
    },
  );

  it('has ids and words that can be recorded, whatever a provider sends', () => {
    const id = `\0${'😀'.repeat(200)}`;
    const read = completionOf({ id, choices: [{ message: { content: '' }, finish_reason: 'sto\0p' }] });
    expect(read.upstreamId).toHaveLength(255);
    expect(read.upstreamId!.isWellFormed()).toBe(true);
    expect(read.choices[0]).toMatchObject({ finish_reason: 'stop', native_finish_reason: 'stop' });
    expect(chunkOf({ id: '\0', choices: [] }).upstreamId).toBeNull();
  });

  it('refuses content that is not a text', () => {
    for (const content of [7, { text: 'x' }]) {
      expect(() => completionOf({ choices: [{ message: { content } }] })).toThrow('content that is no text');
      expect(() => chunkOf({ choices: [{ delta: { content } }] })).toThrow('content that is no text');
    }
  });
});
