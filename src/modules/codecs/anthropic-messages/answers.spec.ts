import fc from 'fast-check';
import type { AssistantMessage, ChatChunk, ChatMessage } from '../chat/chat-completion.js';
import type { JsonObject } from '../chat/json-values.js';
import { completionOf } from './answer-decoder.js';
import { EventTranslator } from './stream-decoder.js';
import { requestBody } from './request-encoder.js';

const USAGE = {
  input_tokens: 10,
  cache_read_input_tokens: 5,
  cache_creation_input_tokens: 3,
  output_tokens: 7,
  service_tier: 'standard',
};

function messageOf(content: readonly JsonObject[], stopReason = 'end_turn') {
  return { id: 'msg_1', type: 'message', role: 'assistant', content, stop_reason: stopReason, usage: USAGE };
}

/** The events in which the provider streams a message, its texts cut into pieces of the given length. */
function eventsOf(content: readonly JsonObject[], length: number): JsonObject[] {
  const pieces = (text: unknown): string[] => {
    const characters = Array.from(String(text));
    return Array.from({ length: Math.ceil(characters.length / length) }, (_, index) =>
      characters.slice(index * length, (index + 1) * length).join(''),
    );
  };
  const blocks = content.flatMap((block, index) => {
    const deltas = {
      text: () => pieces(block['text']).map((text) => ({ type: 'text_delta', text })),
      thinking: () => [
        ...pieces(block['thinking']).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature: block['signature'] },
      ],
      redacted_thinking: () => [],
      tool_use: () =>
        pieces(JSON.stringify(block['input'])).map((text) => ({ type: 'input_json_delta', partial_json: text })),
    }[block['type'] as 'text']();
    const begun = { text: { text: '' }, thinking: { thinking: '' }, tool_use: { input: {} } }[block['type'] as 'text'];
    return [
      { type: 'content_block_start', index, content_block: { ...block, ...begun } },
      { type: 'ping' },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ];
  });
  return [
    { type: 'message_start', message: { ...messageOf([]), stop_reason: null, usage: { ...USAGE, output_tokens: 1 } } },
    ...blocks,
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7, input_tokens: null } },
    { type: 'message_stop' },
  ];
}

function translated(events: readonly JsonObject[]): { chunks: ChatChunk[]; finished: boolean } {
  const translator = new EventTranslator();
  const chunks = events.flatMap((event) => translator.translate(event) ?? []);
  return { chunks, finished: translator.finished };
}

/** The message that a client makes of a stream: it collects the details of the reasoning as they come. */
function collected(chunks: readonly ChatChunk[]): AssistantMessage {
  const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
  const calls = new Map<number, { id: string; name: string; arguments: string }>();
  for (const { index, id, function: called } of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
    const call = calls.get(index) ?? { id: id!, name: called!.name!, arguments: '' };
    call.arguments += called?.arguments ?? '';
    calls.set(index, call);
  }
  return {
    role: 'assistant',
    content: deltas.map(({ content }) => content ?? '').join(''),
    reasoning_details: deltas.flatMap((delta) => delta.reasoning_details ?? []),
    tool_calls: [...calls.values()].map(({ id, name, arguments: text }) => ({
      id,
      type: 'function',
      function: { name, arguments: text },
    })),
  };
}

/** The blocks that a message becomes when a client sends it back. */
function sentBack(message: ChatMessage): unknown {
  const messages = [message, { role: 'user' as const, content: 'Go on' }];
  return (requestBody({ model: 'claude', messages }, false)['messages'] as { content: unknown }[])[0]!.content;
}

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((text) => `${text}.`);
const identifier = fc.stringMatching(/^[a-z0-9_]{1,12}$/);
const thinkingBlocks = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('thinking'), thinking: word, signature: identifier }),
    fc.record({ type: fc.constant('redacted_thinking'), data: identifier }),
  ),
  { maxLength: 3 },
);
const toolBlocks = fc.array(
  fc.record({
    type: fc.constant('tool_use'),
    id: identifier.map((id) => `toolu_${id}`),
    name: identifier,
    input: fc.dictionary(identifier, fc.oneof(word, fc.integer()), { noNullPrototype: true }),
  }),
  { maxLength: 3 },
);
/** A message as models write them: they think, then speak, then call tools. */
const contents = fc
  .tuple(thinkingBlocks, fc.array(fc.record({ type: fc.constant('text'), text: word }), { maxLength: 1 }), toolBlocks)
  .map((blocks): readonly JsonObject[] => blocks.flat())
  .filter((blocks) => blocks.length > 0);
/** One that is not cut behind its thoughts, which its provider would refuse. */
const wholeContents = contents.filter(
  (blocks) => !['thinking', 'redacted_thinking'].includes(String(blocks.at(-1)!['type'])),
);

describe('The answers of the Messages API', () => {
  it('are read whole, with everything that the cache took or gave counted in the prompt', () => {
    const content = [
      { type: 'thinking', thinking: 'They greet.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'secret' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'toolu_1', name: 'look_up', input: { word: 'a' } },
    ];
    expect(completionOf(messageOf(content, 'tool_use'))).toEqual({
      upstreamId: 'msg_1',
      systemFingerprint: null,
      serviceTier: 'default',
      usage: {
        prompt_tokens: 18,
        completion_tokens: 7,
        total_tokens: 25,
        prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 3 },
      },
      choices: [
        {
          index: 0,
          finish_reason: 'tool_calls',
          native_finish_reason: 'tool_use',
          message: {
            role: 'assistant',
            content: 'Hello',
            reasoning: 'They greet.',
            reasoning_details: [
              {
                type: 'reasoning.text',
                format: 'anthropic-claude-v1',
                index: 0,
                text: 'They greet.',
                signature: 'sig',
              },
              {
                type: 'reasoning.encrypted',
                format: 'anthropic-claude-v1',
                index: 1,
                id: 'after-0-0',
                data: 'secret',
              },
            ],
            tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'look_up', arguments: '{"word":"a"}' } }],
          },
        },
      ],
    });
  });

  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'stop'],
    ['refusal', 'content_filter'],
    ['something_new', 'stop'],
  ])('that end with %s end with %s for clients', (native, expected) => {
    const [choice] = completionOf(messageOf([], native)).choices;
    expect(choice).toMatchObject({ finish_reason: expected, native_finish_reason: native });
  });

  it.each([
    ['a text', [{ type: 'text', text: 'Hi' }], 'stop'],
    ['a call', [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }], 'tool_calls'],
  ])('that are whole and do not say why they ended have ended by themselves: %s', (_, content, expected) => {
    for (const given of [{}, { stop_reason: null }, { stop_reason: '' }]) {
      const [choice] = completionOf({ content, ...given }).choices;
      expect(choice).toMatchObject({ finish_reason: expected, native_finish_reason: null });
    }
  });

  it('without content, or without both a word and a stop reason, are refused', () => {
    const empty = [{ content: [] }, { content: [{ type: 'text', text: '' }], stop_reason: null }];
    for (const document of [{}, { content: 'text' }, [], null, ...empty]) {
      expect(() => completionOf(document)).toThrow(expect.objectContaining({ kind: 'invalid' }));
    }
  });

  it('sent back by a client become the blocks that they were, with every signature', () => {
    fc.assert(
      fc.property(wholeContents, (content) => {
        expect(sentBack(completionOf(messageOf(content)).choices[0]!.message)).toEqual(content);
      }),
    );
  });

  it('that were streamed and sent back become the blocks that they were, however they were cut', () => {
    fc.assert(
      fc.property(wholeContents, fc.integer({ min: 1, max: 5 }), (content, length) => {
        const { chunks, finished } = translated(eventsOf(content, length));
        expect(finished).toBe(true);
        expect(sentBack(collected(chunks))).toEqual(content);
      }),
    );
  });

  it('say the same streamed as whole', () => {
    fc.assert(
      fc.property(contents, fc.integer({ min: 1, max: 5 }), (content, length) => {
        const { chunks } = translated(eventsOf(content, length));
        const whole = completionOf(messageOf(content));
        const message = collected(chunks);
        expect(message.content).toBe(whole.choices[0]!.message.content ?? '');
        expect(message.tool_calls).toEqual(whole.choices[0]!.message.tool_calls ?? []);
        const reason = (message.tool_calls ?? []).length > 0 ? 'tool_calls' : 'stop';
        expect(chunks.at(-1)).toEqual({
          upstreamId: 'msg_1',
          choices: [{ index: 0, delta: {}, finish_reason: reason, native_finish_reason: 'end_turn' }],
          usage: whole.usage,
          serviceTier: 'default',
        });
      }),
    );
  });

  it('give the tokens of the prompt with their first chunk', () => {
    expect(translated(eventsOf([], 1)).chunks[0]!.usage).toMatchObject({ prompt_tokens: 18, completion_tokens: 1 });
  });

  it('are not finished if their events were cut off', () => {
    const events = eventsOf([{ type: 'text', text: 'Hello' }], 1);
    for (let length = 0; length < events.length - 2; length++) {
      expect(translated(events.slice(0, length)).finished).toBe(false);
    }
  });

  it('with blocks and deltas that are not known, or belong to nothing, are read without them', () => {
    const { chunks } = translated([
      { type: 'content_block_start', index: 0, content_block: { type: 'server_tool_use', id: 'x', name: 'web' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'content_block_delta', index: 9, delta: { type: 'thinking_delta', thinking: 'x' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'citations_delta', citation: {} } },
      { type: 'content_block_stop', index: 0 },
      { type: 'something_new' },
      {},
    ]);
    expect(chunks).toEqual([]);
  });

  it('lose reasoning that has no signature when they are sent back', () => {
    const details = [{ type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0, text: 'unsigned' }];
    expect(sentBack({ role: 'assistant', content: 'Hello', reasoning_details: details })).toEqual([
      { type: 'text', text: 'Hello' },
    ]);
  });
});
