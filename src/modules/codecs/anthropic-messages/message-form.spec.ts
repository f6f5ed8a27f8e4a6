import type { ChatChunk, ChatCompletion, ChatDelta } from '../chat/chat-completion.js';
import { ProviderError } from '../errors/provider-error.js';
import { EventTranslator } from './stream-decoder.js';
import { completionOf } from './answer-decoder.js';
import type { AnswerOrigin, StreamEvent } from '../client-codec.js';
import { NO_COST } from '../../inference/pipeline/cost/cost.js';
import { answerUsage } from '../../inference/pipeline/cost/charged-usage.js';
import { textOfDetails } from '../chat/carried-reasoning.js';
import { MESSAGES_ENCODER } from './stream-encoder.js';

const ORIGIN = {
  id: 'gen-1',
  model: 'acme/writer',
  provider: 'Alpha Cloud',
  body: { model: 'acme/writer', messages: [] },
  routing: () => ({ router_metadata: { attempt: 1 } }),
} as unknown as AnswerOrigin;

const TOKENS = {
  prompt_tokens: 100,
  completion_tokens: 7,
  total_tokens: 107,
  prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
  completion_tokens_details: { reasoning_tokens: 2 },
};

const USAGE = answerUsage(TOKENS, { total: '0.5', prompt: '0.2', completion: '0.3', cacheDiscount: null }, false);

const SHOWN_USAGE = {
  input_tokens: 10,
  output_tokens: 7,
  cache_read_input_tokens: 60,
  cache_creation_input_tokens: 30,
  output_tokens_details: { thinking_tokens: 2 },
  service_tier: 'standard',
  cost: 0.5,
};

/** A whole answer of a provider of another form. */
function chat(message: object, fields: object = {}): ChatCompletion {
  const choice = { index: 0, message, finish_reason: 'stop', native_finish_reason: 'stop', ...fields };
  return {
    upstreamId: 'up',
    choices: [choice],
    usage: null,
    systemFingerprint: null,
    serviceTier: 'default',
  } as ChatCompletion;
}

function whole(completion: ChatCompletion, usage = USAGE) {
  return MESSAGES_ENCODER.whole(ORIGIN, completion, usage) as Record<string, unknown>;
}

function chunk(delta: ChatDelta, finish: string | null = null): ChatChunk {
  return { choices: [{ index: 0, delta, finish_reason: finish, native_finish_reason: finish }] } as ChatChunk;
}

/** The events of a stream: what it begins with, the rest as types with what each brings. */
function streamed(chunks: readonly ChatChunk[]): StreamEvent[] {
  const form = MESSAGES_ENCODER.stream(ORIGIN);
  const events = chunks.flatMap((one) => form.chunk(one));
  return [...events, ...form.end(USAGE, 'default')];
}

/** An event about a block, as far as tests look into it. */
interface BlockEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: object;
  readonly delta?: Readonly<Record<string, string>>;
}

/** Reads a stream as clients do: the blocks that its deltas build, in their places. */
function blocksOf(events: readonly StreamEvent[]): unknown[] {
  const blocks: Record<string, unknown>[] = [];
  const open = new Set<number>();
  for (const { event, data } of events) {
    const { type, index = 0, content_block: block, delta } = data as BlockEvent;
    expect(event).toBe(type);
    if (type === 'content_block_start') {
      expect([index, open.size]).toEqual([blocks.length, 0]);
      blocks.push({ ...block });
      open.add(index);
    } else if (type === 'content_block_delta') {
      expect(open).toContain(index);
      const { type: _type, ...parts } = delta!;
      for (const [name, part] of Object.entries(parts)) {
        blocks[index]![name] = `${(blocks[index]![name] as string | undefined) ?? ''}${part}`;
      }
    } else if (type === 'content_block_stop') {
      expect(open.delete(index)).toBe(true);
    }
  }
  expect(open.size).toBe(0);
  return blocks;
}

function lastDelta(events: readonly StreamEvent[]): unknown {
  return events.find(({ event }) => event === 'message_delta')?.data;
}

describe('The answer of a provider of another form', () => {
  it('becomes a message with thoughts, text and calls in this order, and counts cached tokens once', () => {
    const calls = [{ id: 'call 1', type: 'function', function: { name: 'look_up', arguments: '{"a":1}' } }];
    const message = { role: 'assistant', content: 'Looking.', reasoning: 'I look.', tool_calls: calls };

    expect(whole(chat(message, { finish_reason: 'tool_calls', native_finish_reason: 'tool_calls' }))).toMatchObject({
      id: 'gen-1',
      type: 'message',
      role: 'assistant',
      model: 'acme/writer',
      provider: 'Alpha Cloud',
      content: [
        { type: 'thinking', thinking: 'I look.', signature: '' },
        { type: 'text', text: 'Looking.', citations: [] },
        { type: 'tool_use', id: 'call_1', name: 'look_up', input: { a: 1 }, caller: { type: 'direct' } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      stop_details: null,
      usage: SHOWN_USAGE,
      router_metadata: { attempt: 1 },
    });
  });

  it.each([
    ['stop', 'stop', 'end_turn'],
    ['length', 'length', 'max_tokens'],
    ['tool_calls', 'function_call', 'tool_use'],
    ['content_filter', 'content_filter', 'refusal'],
    ['stop', 'refusal', 'end_turn'],
    ['error', 'error', null],
    [null, null, null],
  ])('that ended with %s (%s) stops with %s', (reason, native, expected) => {
    const ended = whole(
      chat({ role: 'assistant', content: 'x' }, { finish_reason: reason, native_finish_reason: native }),
    );

    expect(ended['stop_reason']).toBe(expected);
    expect(ended['stop_details'] !== null).toBe(expected === 'refusal');
  });

  it('is streamed as one block behind the other, with the usage at the end', () => {
    const events = streamed([
      chunk({ role: 'assistant', content: '' }),
      chunk({ reasoning: 'I ' }),
      chunk({ reasoning: 'look.' }),
      chunk({ content: 'Look' }),
      chunk({ content: 'ing.' }),
      chunk({ tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'look_up', arguments: '' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
      chunk({ tool_calls: [{ index: 1, id: 'c2', type: 'function', function: { name: 'read', arguments: '{}' } }] }),
      chunk({}, 'tool_calls'),
    ]);

    expect(events[0]).toMatchObject({
      event: 'message_start',
      data: {
        message: { id: 'gen-1', model: 'acme/writer', content: [], stop_reason: null, usage: { input_tokens: 0 } },
      },
    });
    expect(blocksOf(events)).toEqual([
      { type: 'thinking', thinking: 'I look.', signature: '' },
      { type: 'text', text: 'Looking.', citations: [] },
      { type: 'tool_use', id: 'c1', name: 'look_up', input: {}, partial_json: '{"a":1}', caller: { type: 'direct' } },
      { type: 'tool_use', id: 'c2', name: 'read', input: {}, partial_json: '{}', caller: { type: 'direct' } },
    ]);
    expect(events.slice(-2)).toMatchObject([
      { event: 'message_delta', data: { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: SHOWN_USAGE } },
      { event: 'message_stop', data: { type: 'message_stop', router_metadata: { attempt: 1 } } },
    ]);
  });

  it('is streamed with very many calls that come at once', () => {
    const calls = Array.from({ length: 150_000 }, (_, index) => ({ index, id: `c${index}` }));

    expect(streamed([chunk({ tool_calls: calls }), chunk({}, 'tool_calls')])).toHaveLength(2 * calls.length + 3);
  });

  it('is streamed with calls whose pieces come in turn', () => {
    const piece = (index: number, text: string): ChatChunk =>
      chunk({ tool_calls: [{ index, function: { arguments: text } }] });
    const begun = (index: number): ChatChunk =>
      chunk({ tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: 'read', arguments: '' } }] });
    const call = (index: number, json: string): object => ({
      type: 'tool_use',
      id: `c${index}`,
      name: 'read',
      input: {},
      partial_json: json,
      caller: { type: 'direct' },
    });
    const chunks = [
      ...[begun(0), begun(1), piece(0, '{"a":'), piece(1, '{"b":'), begun(2), piece(0, '1}'), piece(1, '2}')],
      ...[piece(2, '{}'), piece(0, ''), chunk({}, 'tool_calls')],
    ];

    expect(blocksOf(streamed(chunks))).toEqual([call(0, '{"a":1}'), call(1, '{"b":2}'), call(2, '{}')]);
  });

  it('has calls without fields of another form, whole or streamed', () => {
    const fields = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
    const call = { id: 'c0', type: 'function' as const, function: { name: 'read', arguments: '{}' }, ...fields };
    const block = { type: 'tool_use', id: 'c0', name: 'read', input: {}, caller: { type: 'direct' } };
    expect(whole(chat({ role: 'assistant', content: null, tool_calls: [call] }))['content']).toEqual([block]);
    const parts = [call, { function: {}, ...fields }].map((part) => chunk({ tool_calls: [{ index: 0, ...part }] }));
    const chunks = [...parts, chunk({ content: 'So.' }), parts[1]!, chunk({}, 'tool_calls')];
    const text = { type: 'text', text: 'So.', citations: [] };
    expect(blocksOf(streamed(chunks))).toEqual([{ ...block, partial_json: '{}' }, text]);
  });

  it.each([undefined, ''])('is streamed with a call whose name comes late, behind %j', (name) => {
    const named = name === undefined ? {} : { name };
    const chunks = [
      chunk({ tool_calls: [{ index: 0, id: 'c0', type: 'function', function: { ...named, arguments: '' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":' } }] }),
      chunk({ content: 'Reading.' }),
      chunk({ tool_calls: [{ index: 0, function: { name: 'read', arguments: '1}' } }] }),
      chunk({}, 'tool_calls'),
    ];

    expect(blocksOf(streamed(chunks))).toEqual([
      { type: 'text', text: 'Reading.', citations: [] },
      { type: 'tool_use', id: 'c0', name: 'read', input: {}, partial_json: '{"a":1}', caller: { type: 'direct' } },
    ]);
  });

  it('is streamed with a call without arguments whose empty ones come when its block has ended', () => {
    const chunks = [
      chunk({ tool_calls: [{ index: 0, id: 'c0', type: 'function', function: { name: 'read', arguments: '' } }] }),
      chunk({ content: 'Reading.' }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }, 'tool_calls'),
    ];

    expect(blocksOf(streamed(chunks))).toEqual([
      { type: 'tool_use', id: 'c0', name: 'read', input: {}, partial_json: '{}', caller: { type: 'direct' } },
      { type: 'text', text: 'Reading.', citations: [] },
    ]);
  });

  it('is streamed as one block behind the other where text and thoughts come between the pieces of calls', () => {
    const piece = (index: number, text: string, fields: object = {}): ChatChunk =>
      chunk({ tool_calls: [{ index, function: { arguments: text }, ...fields }] });
    const begun = (index: number, text: string): ChatChunk =>
      chunk({ tool_calls: [{ index, id: `c${index}`, function: { name: 'read', arguments: text } }] });
    const chunks = [
      ...[begun(0, ''), piece(0, '{"city":'), chunk({ content: ' ' }), begun(1, '{"a"'), chunk({ reasoning: 'Hm' })],
      ...[chunk({ content: 'So' }), piece(0, '"Rome"}'), chunk({ content: ' it is.' }), piece(1, ':1}')],
      ...[chunk({ content: 'Done.' }), piece(0, ''), chunk({}, 'tool_calls')],
    ];

    expect(blocksOf(streamed(chunks))).toMatchObject([
      { type: 'tool_use', id: 'c0', partial_json: '{"city":"Rome"}' },
      { type: 'text', text: ' ' },
      { type: 'tool_use', id: 'c1', partial_json: '{"a":1}' },
      { type: 'thinking', thinking: 'Hm' },
      { type: 'text', text: 'So it is.Done.' },
    ]);
  });

  it('ends a thought with the state that its provider wants back, whole or streamed', () => {
    const details = [{ type: 'reasoning.encrypted', format: 'google-gemini-v1', index: 0, id: 'c0', data: 'c2lnbmVk' }];
    const call = { index: 0, id: 'c0', type: 'function' as const, function: { name: 'read', arguments: '{}' } };
    const said = { reasoning: 'Hm', reasoning_details: details };
    const blocks = [
      { type: 'thinking', thinking: 'Hm', signature: textOfDetails(details) },
      { type: 'tool_use', id: 'c0' },
    ];

    expect(whole(chat({ content: null, ...said, tool_calls: [call] }))).toMatchObject({ content: blocks });
    const chunks = [chunk({ reasoning: 'Hm' }), chunk({ reasoning_details: details, tool_calls: [call] })];
    expect(blocksOf(streamed([...chunks, chunk({}, 'tool_calls')]))).toMatchObject(blocks);
  });

  it('does not end with a thought where the signature of its text comes last', () => {
    const details = [{ type: 'reasoning.encrypted', format: 'google-gemini-v1', index: 0, data: 'c2lnbmVk' }];
    const chunks = [chunk({ content: 'Hi' }), chunk({ content: '', reasoning_details: details }), chunk({}, 'stop')];

    expect(blocksOf(streamed(chunks))).toMatchObject([{ type: 'text', text: 'Hi' }]);
  });

  it.each([
    ['nest deeper than a body may', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['hold more values than a body may', `{"a":[${'0,'.repeat(50_000)}0]}`],
  ])('is streamed with a call whose arguments %s before another', (_, json) => {
    const call = (index: number, text: string): ChatChunk =>
      chunk({ tool_calls: [{ index, id: `c${index}`, function: { name: 'read', arguments: text } }] });

    expect(blocksOf(streamed([call(0, json), call(1, '{}')]))).toMatchObject([
      { id: 'c0', partial_json: json },
      { id: 'c1', partial_json: '{}' },
    ]);
  });

  it('has as texts the arguments of calls that hold more values together than a body may', () => {
    const json = `{"a":[${'0,'.repeat(30_000)}0]}`;
    const calls = [json, json, '{"a":1}'].map((text) => ({ id: 'c', function: { name: 'read', arguments: text } }));

    expect(whole(chat({ tool_calls: calls }))).toMatchObject({
      content: [{ input: JSON.parse(json) as object }, { input: { arguments: json } }, { input: { a: 1 } }],
    });
  });

  it('is broken off where more than 16 MiB wait for a call', () => {
    const form = MESSAGES_ENCODER.stream(ORIGIN);
    const piece = (index: number): ChatChunk =>
      chunk({
        tool_calls: [{ index, id: `c${index}`, function: { name: 'read', arguments: 'x'.repeat(9 * 1024 * 1024) } }],
      });
    form.chunk(piece(0));
    form.chunk(piece(1));

    expect(() => form.chunk(piece(2))).toThrow('The provider sent more than 16 MiB between the pieces of a call.');
  });

  it('ends with an error where the provider gave up, or goes on with a call that it had left', () => {
    const [gaveUp] = streamed([chunk({ content: 'x' }), chunk({}, 'error')]).slice(-1);
    const form = MESSAGES_ENCODER.stream(ORIGIN);
    form.chunk(chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'read', arguments: '{}' } }] }));
    form.chunk(chunk({ tool_calls: [{ index: 1, id: 'c2', function: { name: 'read' } }] }));

    expect(gaveUp).toMatchObject({
      event: 'error',
      data: {
        type: 'error',
        error: { type: 'api_error', message: 'Provider returned error', error_type: 'provider_unavailable' },
      },
    });
    expect(form.chunk(chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }))).toEqual([]);
    expect(() => form.chunk(chunk({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }))).toThrow(
      ProviderError,
    );
  });
});

describe('The answer of a provider of the Messages form', () => {
  const CONTENT = [
    { type: 'thinking', thinking: 'I look.', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'ZW5j' },
    { type: 'text', text: 'Looking.', citations: [] },
    { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { a: 1 }, caller: { type: 'direct' } },
  ];

  it('keeps the signatures of its thoughts, and the sequence at which it stopped', () => {
    const answer = completionOf({ id: 'm', content: CONTENT, stop_reason: 'stop_sequence', stop_sequence: 'END' });

    expect(whole(answer)).toMatchObject({ content: CONTENT, stop_reason: 'stop_sequence', stop_sequence: 'END' });
  });

  it('keeps the order of its blocks if there are thoughts between texts, because the provider expects them back in that order', () => {
    const [thought, hidden, said, call] = CONTENT;
    const content = [thought, said, hidden, { ...said, text: 'Still looking.' }, call];
    const answer = completionOf({ id: 'm', content, stop_reason: 'tool_use', stop_sequence: null });

    expect(whole(answer)).toMatchObject({ content, stop_reason: 'tool_use', stop_sequence: null });
  });

  const CACHE_CREATION = { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 5 };

  it.each([
    ['says', { cache_creation: CACHE_CREATION }, CACHE_CREATION],
    [
      'says in part',
      { cache_creation: { ephemeral_1h_input_tokens: 5 } },
      { ...CACHE_CREATION, ephemeral_5m_input_tokens: 0 },
    ],
    ['does not say', { cache_creation: null }, null],
  ])('has the tokens written to the cache by how long it keeps them, as the provider %s', (_, said, expected) => {
    const usage = { input_tokens: 4, output_tokens: 1, cache_creation_input_tokens: 7, ...said };
    const answer = completionOf({ id: 'm', content: CONTENT, stop_reason: 'end_turn', usage });
    const charged = answerUsage(answer.usage!, NO_COST, false);
    const translator = new EventTranslator();
    const begin = translator.translate({ type: 'message_start', message: { id: 'm', usage } })!;
    const delta = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } };
    const last = translator.translate(delta)!;
    const form = MESSAGES_ENCODER.stream(ORIGIN);

    expect(whole(answer, charged)).toMatchObject({ usage: { cache_creation: expected } });
    expect(form.chunk(begin)[0]).toMatchObject({ data: { message: { usage: { cache_creation: expected } } } });
    form.chunk(last);
    const events = form.end(answerUsage(last.usage!, NO_COST, false), null);
    expect(lastDelta([...events])).toMatchObject({ usage: { cache_creation: expected, input_tokens: 4 } });
    expect(JSON.parse(JSON.stringify(charged))).not.toHaveProperty('cache_creation');
  });

  it('is streamed with the same blocks, signatures and usage', () => {
    const translator = new EventTranslator();
    const sent = [
      { type: 'message_start', message: { id: 'm', usage: { input_tokens: 4, output_tokens: 1 } } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I look.' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'ZW5j' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'Looking.' } },
      { type: 'content_block_stop', index: 2 },
      {
        type: 'content_block_start',
        index: 3,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: {} },
      },
      { type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
      { type: 'content_block_stop', index: 3 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' },
        usage: { output_tokens: 9 },
      },
      { type: 'message_stop' },
    ];
    const events = streamed(sent.flatMap((event) => translator.translate(event) ?? []));

    expect(events[0]).toMatchObject({ data: { message: { usage: { input_tokens: 4, output_tokens: 1 } } } });
    expect(blocksOf(events)).toEqual([...CONTENT.slice(0, 3), { ...CONTENT[3], input: {}, partial_json: '{"a":1}' }]);
    expect(lastDelta(events)).toMatchObject({ delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' } });
  });
});
