import { getEventListeners } from 'node:events';
import { ClientGoneError } from '../../../../http/client-signal.js';
import type { ChatChunk, ChatDelta, FinishReason } from '../../../codecs/chat/chat-completion.js';
import type { Candidate } from '../request/candidate.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import { CandidateStream } from './candidate-stream.js';

const chunk = (delta: ChatDelta, reason: FinishReason | null = null): ChatChunk => ({
  choices: [{ index: 0, delta, finish_reason: reason, native_finish_reason: reason }],
});

describe('A stream whose client leaves', () => {
  let client: AbortController;

  beforeEach(() => {
    client = new AbortController();
    jest.useFakeTimers();
  });

  afterEach(() => jest.useRealTimers());

  const asked = (parameters: readonly string[], body: object = {}, protocol = 'openai'): CandidateStream => {
    const row = { supportedParameters: parameters, maxCompletionTokens: 10_000, contextLength: 100_000 };
    const candidate = { model: { row: { reasoning: null } }, endpoint: { row }, connection: { protocol } };
    const request = { body: body as ClientChatRequest, signal: client.signal, keepsOutput: false };
    return new CandidateStream(candidate as unknown as Candidate, request);
  };

  const leave = (): void => client.abort(new ClientGoneError());

  it('ends at the provider at once where its model cannot think', () => {
    const answer = asked(['max_tokens']);
    const signal = answer.endingSignal();
    answer.tally.add(chunk({ content: 'Yes' }));
    leave();
    expect(signal.aborted).toBe(true);
    expect(answer.leftOutcome).toMatchObject({ delivered: { texts: 1 }, hiddenTokens: 0, isCancelled: true });
  });

  it.each([
    ['it has shown what it thinks', {}, 'openai', { reasoning: 'So' }],
    ['it was not to think', { reasoning: { effort: 'none' } }, 'openai', { content: 'Yes' }],
    ['its provider shows what it thinks', {}, 'anthropic', { content: 'Yes' }],
  ])('counts nothing unseen where its model can think, but %s', (_, body, protocol, delta) => {
    const answer = asked(['reasoning'], body, protocol);
    answer.sent();
    answer.tally.add(chunk(delta));
    jest.advanceTimersByTime(60_000);
    leave();
    expect(answer.leftOutcome.hiddenTokens).toBe(0);
  });

  it.each(['openai', 'openai-responses'])(
    'ends at the provider at once where its model may think unseen too, and counts what that can write in the time: %s',
    (protocol) => {
      const answer = asked(['reasoning'], {}, protocol);
      const signal = answer.endingSignal();
      answer.sent();
      answer.tally.add(chunk({ content: 'Yes' }));
      jest.advanceTimersByTime(60_000);
      leave();
      expect(signal.reason).toBeInstanceOf(ClientGoneError);
      expect(answer.isReadOn).toBe(false);
      expect(answer.leftOutcome).toMatchObject({ delivered: { texts: 1 }, hiddenTokens: 6_000 });
    },
  );

  it('leaves nothing at the signal of the request once it has failed, of which there may be many', () => {
    for (let count = 0; count < 20; count += 1) {
      const answer = asked(['max_tokens']);
      const signal = answer.endingSignal();
      expect(getEventListeners(client.signal, 'abort')).toHaveLength(1);
      answer.abandon();
      expect(signal.aborted).toBe(false);
    }
    expect(getEventListeners(client.signal, 'abort')).toEqual([]);
  });

  it('counts no more than the longest answer', () => {
    const answer = asked(['reasoning'], { max_tokens: 500 });
    answer.sent();
    answer.tally.add(chunk({ content: 'Yes' }));
    jest.advanceTimersByTime(3_600_000);
    expect(answer.leftOutcome.hiddenTokens).toBe(499);
  });

  it('is read on to its usage where the model has ended it', () => {
    const answer = asked(['max_tokens']);
    const signal = answer.endingSignal(60_000);
    answer.tally.add(chunk({ content: 'Yes' }, 'stop'));
    leave();
    expect([signal.aborted, answer.isReadOn]).toEqual([false, true]);
    jest.advanceTimersByTime(60_000);
    expect(signal.reason).toBeInstanceOf(ClientGoneError);
    answer.tally.add({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } });
    expect(answer.isReadOn).toBe(false);
  });
});
