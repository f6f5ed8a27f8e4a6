import type { ChatMessage } from '../chat/chat-completion.js';
import type { JsonObject } from '../chat/json-values.js';
import { RequestAdjustments } from '../chat/request-adjustments.js';
import { assistantBlocksOf } from './request-encoder.js';
import { completionOf } from './answer-decoder.js';
import { EventTranslator } from './stream-decoder.js';

const thought = (signature: string): JsonObject => ({ type: 'thinking', thinking: `Thought ${signature}`, signature });
const text = (said: string): JsonObject => ({ type: 'text', text: said });
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'look_up', input: {} });
const HIDDEN = { type: 'redacted_thinking', data: 'aGlkZGVu' };

/** The message that a client of chats makes of a whole answer. */
function wholeMessage(content: readonly JsonObject[]): ChatMessage {
  const answer = { type: 'message', content, stop_reason: 'tool_use', usage: {} };
  return completionOf(answer).choices[0]!.message;
}

/** The message that a client makes of a stream, which keeps the pieces of details as they come. */
function streamedMessage(content: readonly JsonObject[]): ChatMessage {
  const translator = new EventTranslator();
  const events = content.flatMap((block, index) => {
    const delta = (fields: object): object => ({ type: 'content_block_delta', index, delta: fields });
    const begun = { ...block, ...(block['type'] === 'thinking' && { thinking: '', signature: '' }) };
    return [
      { type: 'content_block_start', index, content_block: begun },
      ...(block['type'] === 'thinking'
        ? [
            delta({ type: 'thinking_delta', thinking: block['thinking'] }),
            delta({ type: 'signature_delta', signature: block['signature'] }),
          ]
        : []),
      { type: 'content_block_stop', index },
    ];
  });
  const deltas = events
    .flatMap((event) => translator.translate(event as JsonObject)?.choices ?? [])
    .map(({ delta }) => delta);
  const calls = deltas.flatMap(({ tool_calls: parts }) => (parts ?? []).filter(({ id }) => id !== undefined));
  return {
    role: 'assistant',
    content: deltas.map(({ content: piece }) => piece ?? '').join(''),
    reasoning_details: deltas.flatMap(({ reasoning_details: details }) => details ?? []),
    tool_calls: calls.map(({ id }) => ({ id: id!, type: 'function', function: { name: 'look_up', arguments: '{}' } })),
  };
}

describe('The blocks of an assistant message of a chat', () => {
  it.each([
    [[thought('a'), call('c1'), thought('b'), call('c2')]],
    [[thought('a'), HIDDEN, text('One'), call('c1')]],
    [[text('One'), thought('a'), text('Two'), HIDDEN, call('c1'), thought('b'), call('c2')]],
    [[HIDDEN, thought('a'), text('Ein 😀'), thought('b'), text('n')]],
  ])('stand in the order of the provider: %j', (content) => {
    expect(assistantBlocksOf(wholeMessage(content))).toEqual(content);
    expect(assistantBlocksOf(streamedMessage(content))).toEqual(content);
  });

  it('begin with the first thought, and have no thought whose place no detail says', () => {
    const message = wholeMessage([thought('a'), call('c1'), thought('b'), call('c2')]);
    const details = message.reasoning_details!.map(({ id: _id, ...detail }) => detail);
    const adjustments = new RequestAdjustments();

    expect(assistantBlocksOf({ ...message, reasoning_details: details }, adjustments)).toEqual([
      thought('a'),
      call('c1'),
      call('c2'),
    ]);
    expect(adjustments.list).toEqual([
      { path: 'messages.*.reasoning_details', action: 'left_out', reason: 'thoughts_without_place' },
    ]);
  });

  it.each(['after-0-9', 'after-0', 'after-99999999999-0', 'elsewhere'])(
    'have no thought in a place that cannot be: %j',
    (id) => {
      const message = wholeMessage([thought('a'), call('c1'), thought('b'), call('c2')]);
      const [first, second] = message.reasoning_details!;
      const changed = { ...message, reasoning_details: [first!, { ...second!, id }] };

      expect(assistantBlocksOf(changed)).toEqual([thought('a'), call('c1'), call('c2')]);
    },
  );

  it('stand in their order where a filter has made the text shorter', () => {
    const message = wholeMessage([
      text('Write to jane.doe@example.com'),
      thought('a'),
      text('Now.'),
      thought('b'),
      call('c1'),
    ]);
    const blocks = assistantBlocksOf({ ...message, content: 'Write to 😀😀' });

    expect(blocks.map(({ type }) => type)).toEqual(['text', 'thinking', 'thinking', 'tool_use']);
    expect(blocks[0]).toEqual(text('Write to 😀😀'));
  });

  it('have no thought of another provider, which is noted', () => {
    const adjustments = new RequestAdjustments();
    const details = [{ type: 'reasoning.encrypted', format: 'google-gemini-v1', data: 'c2ln' }];

    expect(assistantBlocksOf({ role: 'assistant', content: 'Hi', reasoning_details: details }, adjustments)).toEqual([
      text('Hi'),
    ]);
    expect(adjustments.list).toMatchObject([{ reason: 'thoughts_of_other_provider' }]);
  });
});
