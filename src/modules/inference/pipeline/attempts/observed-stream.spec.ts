import type { EndpointMetrics } from '../../../../telemetry/metrics/metrics.js';
import type { ProviderCallEnd } from '../../../../telemetry/provider-call.js';
import type { ChatChunk, FinishReason } from '../../../codecs/chat/chat-completion.js';
import { RequestClock } from '../request/request-clock.js';
import { ObservedCall } from './observed-call.js';
import { ObservedStream } from './observed-stream.js';

describe('ObservedStream', () => {
  const ends: ProviderCallEnd[] = [];
  const seen: string[] = [];
  const metrics: EndpointMetrics = {
    firstToken: () => void seen.push('first token'),
    gap: () => void seen.push('gap'),
    upstream: (outcome) => void seen.push(outcome),
    own: () => void seen.push('own'),
  };

  beforeEach(() => {
    ends.length = 0;
    seen.length = 0;
  });

  const chunk = (content: string, reason: FinishReason | null = null, fields: object = {}): ChatChunk => ({
    choices: [{ index: 0, delta: { content }, finish_reason: reason, native_finish_reason: reason }],
    ...fields,
  });

  const observed = (chunks: AsyncIterable<ChatChunk>): ObservedStream => {
    const call = new ObservedCall({ metrics, endSpan: (end) => ends.push(end), clock: new RequestClock() });
    return new ObservedStream(chunks, call);
  };

  it('leaves chunks as they are, and reports what the provider says besides', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    const chunks = [
      chunk('', null, { upstreamId: 'first' }),
      chunk('a'),
      chunk('b', 'stop'),
      chunk('', null, { usage }),
    ];

    expect(await allOf(observed(streamOf(chunks)))).toEqual(chunks);
    expect(seen).toEqual(['first token', 'gap', 'gap', 'answered']);
    expect(ends).toMatchObject([
      { outcome: 'answered', inputTokens: 3, outputTokens: 2, finishReasons: ['stop'], responseId: 'first' },
    ]);
  });

  it('ends the stream, and its call once, when the rest is not wanted', async () => {
    let isLeft = false;
    async function* stream(): AsyncGenerator<ChatChunk> {
      try {
        for (;;) yield await Promise.resolve(chunk('a'));
      } finally {
        isLeft = true;
      }
    }
    const reader = observed(stream());
    await reader.next();
    await reader.return();
    await reader.return();

    expect(isLeft).toBe(true);
    expect(ends).toMatchObject([{ outcome: 'abandoned', status: null }]);
  });

  it('calls a stream without a token invalid', async () => {
    await allOf(observed(streamOf([chunk('')])));

    expect(seen).toEqual(['invalid']);
  });

  it('calls what is no error of the provider a failure of the gateway, and throws it on', async () => {
    const broken = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TypeError('broken')) }) };

    await expect(observed(broken).next()).rejects.toThrow('broken');
    expect(seen).toEqual(['failed']);
  });
});

async function* streamOf(chunks: readonly ChatChunk[]): AsyncGenerator<ChatChunk> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

async function allOf(chunks: AsyncIterable<ChatChunk>): Promise<ChatChunk[]> {
  const all: ChatChunk[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return all;
}
