import type { ChatChunk, ChatCompletion, ChatDelta } from '../../../codecs/chat/chat-completion.js';
import { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import { TranslatedToolNames } from '../../../codecs/capabilities/tool-names.js';
import { AnsweredCalls, NamedStream, withOwnCalls } from './named-calls.js';

const names = new TranslatedToolNames(undefined, { messages: [] }, new RequestAdjustments());

const call = (id: string) => ({ id, type: 'function' as const, function: { name: 'look_up', arguments: '{}' } });

/** A conversation in which `call_0` was made. */
const answered = (): AnsweredCalls => new AnsweredCalls(names, [{}, { tool_calls: [call('call_0')] }]);

const signature = (id: string) => ({ type: 'reasoning.encrypted', id, data: 'c2ln' });

describe('Calls of an answer', () => {
  const answer = (...ids: string[]): ChatCompletion => ({
    upstreamId: null,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: ids.map(call),
          reasoning_details: ids.map(signature),
        },
        finish_reason: 'tool_calls',
        native_finish_reason: 'tool_calls',
      },
    ],
    usage: null,
    systemFingerprint: null,
    serviceTier: null,
  });

  it('get another id if their conversation has one of theirs, and so does what signs the thoughts behind them', () => {
    const [choice] = withOwnCalls(answer('call_0', 'call_1'), answered()).choices;
    const { tool_calls: calls, reasoning_details: details } = choice!.message;
    const ids = calls!.map(({ id }) => id);

    expect(ids[0]).toMatch(/^call_[0-9a-f]{32}$/);
    expect(ids[1]).toBe('call_1');
    expect(details!.map(({ id }) => id)).toEqual(ids);
  });

  it('keep their ids in a conversation without calls', () => {
    const given = answer('call_0');
    expect(withOwnCalls(given, new AnsweredCalls(names, [{}]))).toBe(given);
  });

  it('get one id in all pieces of a stream', async () => {
    const chunk = (delta: ChatDelta): ChatChunk => ({
      choices: [{ index: 0, delta, finish_reason: null, native_finish_reason: null }],
    });
    async function* pieces(): AsyncGenerator<ChatChunk, void> {
      yield chunk({ content: 'I look.' });
      yield chunk({ tool_calls: [{ index: 0, ...call('call_0') }] });
      yield await Promise.resolve(
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }], reasoning_details: [signature('call_0')] }),
      );
    }
    const deltas = [];
    for await (const { choices } of new NamedStream(pieces(), answered())) deltas.push(choices[0]!.delta);
    const [first] = deltas[1]!.tool_calls!;

    expect(deltas[0]).toEqual({ content: 'I look.' });
    expect(first!.id).toMatch(/^call_[0-9a-f]{32}$/);
    expect(deltas[2]!.tool_calls).toEqual([{ index: 0, function: { arguments: '{}' } }]);
    expect(deltas[2]!.reasoning_details).toEqual([signature(first!.id!)]);
  });
});
