import type { ChatChunk, ChatChunkChoice, ToolCallDelta } from '../chat/chat-completion.js';
import { hasAnswerPart } from '../chat/chunk-content.js';
import { ChunkEvents } from './stream-decoder.js';

const UPSTREAM = {
  provider: 'example',
  baseUrl: 'http://127.0.0.1/v1',
  apiKey: 'provider-key-0123456789',
  timeouts: { connect: 1, headers: 1, firstEvent: 1, gap: 1 },
};

const GENERATED_ID = expect.stringMatching(/^call_[0-9a-f]{32}$/) as string;

/** Reads events, of which each is an object or a text. @throws what the stream ends with */
function streamed(...events: readonly unknown[]): ChatChunk[] {
  const form = new ChunkEvents(UPSTREAM);
  const chunks: ChatChunk[] = [];
  for (const given of events) {
    const event = { event: undefined, data: typeof given === 'string' ? given : JSON.stringify(given) };
    const chunk = form.read(event);
    if (form.isLast(event)) form.ended();
    if (chunk !== undefined) chunks.push(chunk);
    if (form.isLast(event)) return chunks;
  }
  form.ended();
  return chunks;
}

function choicesOf(...events: readonly unknown[]): ChatChunkChoice[] {
  return streamed(...events).flatMap(({ choices }) => choices);
}

const choice = (delta: object, finish: string | null = null, index = 0): object => ({
  choices: [{ index, delta, finish_reason: finish }],
});

const called = (call: object, finish: string | null = null): object => choice({ tool_calls: [call] }, finish);

function callsOf(...events: readonly unknown[]): ToolCallDelta[] {
  return choicesOf(...events).flatMap(({ delta }) => delta.tool_calls ?? []);
}

describe('A stream of OpenAI’s form', () => {
  it.each([{}, { id: '' }, { id: null }])('has ids and types of calls whose provider sends %j', (id) => {
    const calls = callsOf(
      called({ index: 0, ...id, function: { name: 'read', arguments: '{' } }),
      called({ index: 0, ...id, function: { arguments: '}' } }),
      called({ index: 1, ...id, function: { name: 'write', arguments: '{}' } }),
      '[DONE]',
    );
    expect(calls).toEqual([
      { index: 0, id: GENERATED_ID, type: 'function', function: { name: 'read', arguments: '{' } },
      { index: 0, function: { arguments: '}' } },
      { index: 1, id: GENERATED_ID, type: 'function', function: { name: 'write', arguments: '{}' } },
    ]);
    expect(calls[0]!.id).not.toBe(calls[2]!.id);
  });

  it('keeps the id that a call has begun with, where its provider sends one late or again', () => {
    const late = callsOf(
      called({ index: 0, function: { name: 'read' } }),
      called({ index: 0, id: 'late', type: 'function', function: { arguments: '{}' } }),
      called({ index: 0, id: 'other', function: { name: 'write', arguments: '{}' } }),
      '[DONE]',
    );
    expect(late).toEqual([
      { index: 0, id: GENERATED_ID, type: 'function', function: { name: 'read', arguments: '' } },
      { index: 0, function: { arguments: '{}' } },
      { index: 1, id: 'other', type: 'function', function: { name: 'write', arguments: '{}' } },
    ]);
  });

  it.each([
    ['with its name', [{ name: 'read', arguments: 'null' }]],
    ['behind its name', [{ name: 'read' }, { arguments: 'null' }]],
  ])('has an empty object as the arguments of a call that got null %s', (_, pieces) => {
    const parts = pieces.map((piece) => called({ index: 0, id: 'a', function: piece }));
    const text = callsOf(...parts, choice({}, 'tool_calls'), '[DONE]').map(
      ({ function: said }) => said?.arguments ?? '',
    );
    expect(text.join('')).toBe('{}');
  });

  it('has null within the arguments of a call', () => {
    const pieces = ['{"a":', 'null', '}'].map((text) => called({ index: 0, id: 'a', function: { arguments: text } }));
    const named = called({ index: 0, id: 'a', function: { name: 'read' } });
    const text = callsOf(named, ...pieces, '[DONE]').map(({ function: said }) => said?.arguments ?? '');
    expect(text.join('')).toBe('{"a":null}');
  });

  it('has an empty object as the arguments of a call that got none', () => {
    const none = { index: 0, function: { arguments: '{}' } };
    for (const first of [{ name: 'read' }, { name: 'read', arguments: '' }]) {
      const begun = { index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '' } };
      const call = { index: 0, id: 'a', function: first };
      expect(callsOf(called(call), choice({}, 'tool_calls'))).toEqual([begun, none]);
      expect(callsOf(called(call, 'tool_calls'))).toEqual([begun, none]);
      expect(callsOf(called(call), '[DONE]')).toEqual([begun, none]);
      expect(callsOf(called(call), choice({}, 'stop'), choice({}, 'stop'))).toEqual([begun, none]);
      // It may have been cut before them.
      expect(callsOf(called(call), choice({}, 'length'))).toEqual([begun]);
    }
  });

  it('hands on fields of calls that the gateway does not know and that have a value, with each part', () => {
    const signature = { extra_content: { google: { thought_signature: 'c2lnbmVk' } } };
    const function_ = { name: 'read', arguments: '{', note: 'n', cut: null };
    const calls = callsOf(
      called({ index: 0, id: 'a', type: 'function', function: function_, ...signature, empty: null }),
      called({ index: 0, id: 'a', function: { arguments: '}', part: 2 }, ...signature }),
      called({ index: 0, more: true }),
      '[DONE]',
    );
    expect(calls).toEqual([
      { index: 0, id: 'a', type: 'function', function: { name: 'read', arguments: '{', note: 'n' }, ...signature },
      { index: 0, function: { arguments: '}', part: 2 }, ...signature },
      { index: 0, function: {}, more: true },
    ]);
  });

  it.each([{ index: 0 }, {}])(
    'has calls apart that come whole one behind the other, without ids and with %j',
    (index) => {
      const whole = (name: string, text: string): object => ({ ...index, function: { name, arguments: text } });
      const events = [
        called(whole('read', '{"a":1}')),
        called(whole('read', '{"a":2}')),
        called(whole('write', '[')),
        called({ ...index, function: { arguments: ']' } }),
        called(whole('read', '{"a":3}'), 'stop'),
      ];
      expect(callsOf(...events, '[DONE]')).toEqual([
        { index: 0, id: GENERATED_ID, type: 'function', function: { name: 'read', arguments: '{"a":1}' } },
        { index: 1, id: GENERATED_ID, type: 'function', function: { name: 'read', arguments: '{"a":2}' } },
        { index: 2, id: GENERATED_ID, type: 'function', function: { name: 'write', arguments: '[' } },
        { index: 2, function: { arguments: ']' } },
        { index: 3, id: GENERATED_ID, type: 'function', function: { name: 'read', arguments: '{"a":3}' } },
      ]);
      expect(choicesOf(...events, '[DONE]').at(-1)).toMatchObject({ finish_reason: 'tool_calls' });
    },
  );

  it('has calls apart that come whole in one list, without ids and with the same index', () => {
    const call = { index: 0, function: { name: 'read', arguments: '{"a":"}{"}' } };
    const [first, second] = callsOf(choice({ tool_calls: [call, call] }, 'stop'), '[DONE]');
    expect([first, second]).toMatchObject([call, { ...call, index: 1 }]);
    expect(first!.id).not.toBe(second!.id);
  });

  it('keeps a call with whole arguments together with parts of its id, of blanks, or without a name', () => {
    const later = [
      { id: 'a', function: { name: 'read', arguments: '{}' } },
      { function: { name: 'read', arguments: '' } },
      { function: { name: 'read', arguments: ' \n' } },
      { id: 'b', function: { arguments: ' ' } },
      { function: { arguments: ' ' } },
    ];
    for (const part of later) {
      const first = { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } };
      const calls = callsOf(called(first), called({ index: 0, ...part }), '[DONE]');
      expect(calls.map(({ index }) => index)).toEqual([0, 0]);
    }
  });

  it.each([{ id: 'a' }, {}])('has the name of a call once whose provider repeats it with each part and %j', (id) => {
    const part = (text: string, name = 'read'): object =>
      called({ index: 0, ...id, function: { name, arguments: text } });
    const events = [part('', ''), part('{"a"'), part(':'), part('1}'), choice({}, 'stop')];
    const calls = callsOf(...events, '[DONE]');
    expect(calls.map(({ index, function: { name, arguments: text } = {} }) => [index, name, text])).toEqual([
      [0, undefined, ''],
      [0, 'read', '{"a"'],
      [0, undefined, ':'],
      [0, undefined, '1}'],
    ]);
    expect(choicesOf(...events, '[DONE]').at(-1)).toMatchObject({ finish_reason: 'tool_calls' });
    // Others send a name in pieces.
    const [, piece] = callsOf(part('', 're'), part('{}', 'ad'), '[DONE]');
    expect(piece!.function).toEqual({ name: 'ad', arguments: '{}' });
  });

  it('ends for calls of tools where its provider says that it stopped', () => {
    const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{}' } };
    expect(choicesOf(called(call), choice({}, 'stop'), '[DONE]').at(-1)).toMatchObject({
      finish_reason: 'tool_calls',
      native_finish_reason: 'stop',
    });
    expect(choicesOf(called(call), choice({}, 'length'), '[DONE]').at(-1)).toMatchObject({ finish_reason: 'length' });
  });

  it('has a reason for the end of every choice that said something, where its provider ends it without one', () => {
    const events = [
      choice({ role: 'assistant', content: '' }, null, 3),
      choice({ content: 'Hello' }),
      choice({ tool_calls: [{ id: 'a', function: { name: 'read', arguments: '{"a":"}"}' } }] }, null, 1),
      choice({ content: 'Hi' }, 'length', 2),
    ];
    expect(streamed(...events, '[DONE]').at(-1)).toEqual({
      choices: [
        { index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: null },
        { index: 1, delta: {}, finish_reason: 'tool_calls', native_finish_reason: null },
      ],
    });
  });

  it.each(['{"city":"U', '{"city":"Ulm"', '{"city":"Ulm\\"}', '[1'])(
    'breaks off where it ends without a reason within the arguments %s',
    (text) => {
      const call = { index: 0, id: 'a', function: { name: 'read', arguments: text } };
      expect(() => streamed(called(call), '[DONE]')).toThrow(expect.objectContaining({ kind: 'unreachable' }));
    },
  );

  it('breaks off where only one of two choices has ended, and no [DONE] comes', () => {
    const events = [choice({ content: 'a' }), choice({ content: 'b' }, null, 1), choice({}, 'stop')];
    expect(() => streamed(...events)).toThrow(expect.objectContaining({ kind: 'unreachable' }));
    expect(streamed(...events, choice({}, 'stop', 1))).toHaveLength(4);
  });

  it('is complete with [DONE] between white space, and skips events of nothing else', () => {
    for (const done of ['[DONE] ', ' [DONE]', '\t[DONE]\r']) {
      expect(streamed('  ', choice({ content: 'a' }), ' ', choice({}, 'stop'), done)).toHaveLength(2);
    }
  });

  it.each([
    [
      { object: 'error', message: 'Out of memory', code: 50001 },
      { message: 'Out of memory', code: '50001' },
    ],
    [
      { type: 'error', message: 'Out of memory' },
      { message: 'Out of memory', code: null },
    ],
    [{ object: 'error' }, { message: 'The provider reported an error.' }],
    [
      { detail: 'Too busy', code: 503 },
      { message: 'Too busy', status: 503 },
    ],
    [{ detail: [{ loc: ['body'] }] }, { message: '[{"loc":["body"]}]' }],
    [
      { error_code: 50004, text: 'NETWORK ERROR' },
      { message: 'NETWORK ERROR', code: '50004' },
    ],
    [{ error: {} }, { message: 'The provider reported an error.' }],
  ])('fails with the error %j, whose shape is another, though it is ended', (error, expected) => {
    expect(() => streamed(choice({ content: 'a' }), error, '[DONE]')).toThrow(
      expect.objectContaining({ kind: 'refused', ...expected }),
    );
  });

  it('skips what is neither a chunk nor an error', () => {
    const odd = [
      { type: 'ping' },
      { id: 'x', object: 'chat.completion.chunk', error_code: 0 },
      { usage: { prompt_tokens: 1, completion_tokens: 1 }, message: 'Counted' },
      { choices: [], message: 'Loading' },
      choice({ annotations: [], tool_calls: [] }, null, 1),
    ];
    const chunks = streamed(...odd, choice({ content: 'a' }), choice({}, 'stop'), '[DONE]');
    expect(chunks.map(hasAnswerPart)).toEqual([...odd.map(() => false), true, true]);
  });

  it('says what its provider sends as messages or texts in place of deltas, and nothing twice', () => {
    const message = (text: string, others: object = {}): object => ({
      choices: [{ index: 0, message: { role: 'assistant', content: text }, ...others }],
    });
    const said = (...events: readonly unknown[]): string =>
      choicesOf(...events, '[DONE]')
        .map(({ delta }) => delta.content ?? '')
        .join('');
    expect(said(message('Hello', { finish_reason: 'stop' }))).toBe('Hello');
    expect(said(choice({ role: 'assistant', content: '' }), message('Hel'), message('lo'))).toBe('Hello');
    expect(said(choice({ content: 'Hel' }), choice({ content: 'lo' }), message('Hello'))).toBe('Hello');
    expect(said({ choices: [{ text: 'Hel' }] }, { choices: [{ text: 'lo', finish_reason: 'stop' }] })).toBe('Hello');
  });

  it('has at most 10,000 choices', () => {
    const list = (from: number): object => ({
      choices: Array.from({ length: 6_000 }, (_, at) => ({ index: from + at, delta: {} })),
    });
    expect(() => streamed(list(0), list(0), choice({ content: 'a' }), '[DONE]')).not.toThrow();
    expect(() => streamed(list(0), list(6_000))).toThrow(expect.objectContaining({ kind: 'invalid' }));
  });

  it('has finished when as many choices as were asked for have ended, or all that have begun and their usage came, unless one goes on', () => {
    const finished = (asked: number, ...events: readonly object[]): boolean => {
      const form = new ChunkEvents(UPSTREAM, asked);
      for (const event of events) form.read({ event: undefined, data: JSON.stringify(event) });
      return form.hasFinished();
    };
    const [said, ended] = [choice({ content: 'a' }), choice({}, 'stop')];

    expect([finished(1), finished(1, said), finished(1, said, ended), finished(1, said, ended, ended)]).toEqual([
      ...[false, false, true, true],
    ]);
    expect(finished(1, said, ended, said)).toBe(false);
    expect(finished(1, said, ended, choice({ content: 'a' }, null, 1))).toBe(false);
    expect([finished(2, said, ended, ended), finished(2, said, ended, choice({}, 'stop', 1))]).toEqual([false, true]);
    const counted = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
    expect([finished(2, said, ended, counted), finished(2, counted, said, ended)]).toEqual([true, false]);
    expect(finished(2, said, ended, counted, choice({ content: 'a' }, null, 1))).toBe(false);
  });

  it('counts what its provider counts in its last choice, or in a field of its own', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], x_groq: { id: 'req_1', usage } };
    expect(streamed(choice({ content: 'Hi' }), last, '[DONE]').at(-1)).toMatchObject({ usage });
    const ofChoice = (others: object): object => ({
      choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage, ...others }],
    });
    const [counted] = streamed(ofChoice({}), '[DONE]');
    expect(counted).toEqual({
      upstreamId: null,
      choices: [{ index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: 'stop' }],
      usage,
    });
    expect(streamed(ofChoice({ index: 1 }), '[DONE]')[0]).toMatchObject({ usage, isAnswerUncounted: true });
    const both = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    expect(streamed({ ...ofChoice({}), usage: both }, '[DONE]')[0]!.usage).toEqual(both);
  });

  it('fails for a reason to stop early that stands in a field of its own', () => {
    const stopped = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], x_groq: { error: 'over capacity' } };
    expect(() => streamed(choice({ content: 'Hi' }), stopped, '[DONE]')).toThrow('over capacity');
  });
});

describe('A stream whose last chunk has the message', () => {
  const message = (said: object, finish = 'stop'): object => ({
    choices: [{ index: 0, message: { role: 'assistant', ...said }, finish_reason: finish }],
  });
  const textsOf = (...events: readonly unknown[]): readonly string[] => {
    const choices = choicesOf(...events, '[DONE]');
    const text = (name: 'content' | 'reasoning'): string => choices.map(({ delta }) => delta[name] ?? '').join('');
    return [text('content'), text('reasoning')];
  };

  it.each([
    ['all', [choice({ content: 'Hel' }), choice({ content: 'lo' })]],
    ['the beginning', [choice({ content: 'Hel' })]],
    ['nothing', []],
    ['only a thought', [choice({ reasoning: 'Let' })]],
  ])('says once what deltas brought, which was %s', (_, deltas) => {
    expect(textsOf(...deltas, message({ content: 'Hello', reasoning: 'Let me see.' }))).toEqual([
      'Hello',
      'Let me see.',
    ]);
  });

  it('keeps what came where the message says something else', () => {
    expect(textsOf(choice({ content: 'Hallo' }), message({ content: 'Hello there' }))).toEqual(['Hallo', '']);
  });

  it('has the calls of the message where no delta had any, and those of deltas else', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'look_up', arguments: '{}' } };
    const last = message({ content: 'I look.', tool_calls: [call] }, 'tool_calls');
    expect(callsOf(choice({ content: 'I look.' }), last, '[DONE]')).toMatchObject([call]);
    expect(callsOf(called({ index: 0, ...call }), last, '[DONE]')).toMatchObject([call]);
  });
});

describe('The roles of a stream', () => {
  it('stand in the first delta of each choice, however often a server says them', () => {
    const said = [0, 1].flatMap((index) =>
      ['It', ' rains'].map((content) => choice({ role: 'assistant', content }, null, index)),
    );
    const roles = choicesOf(...said, choice({}, 'stop'), choice({}, 'stop', 1), '[DONE]').map(
      ({ delta }) => delta.role,
    );
    expect(roles).toEqual(['assistant', undefined, 'assistant', undefined, undefined, undefined]);
  });
});
