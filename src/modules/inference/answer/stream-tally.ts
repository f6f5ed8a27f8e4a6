import type { ChatChunk, FinishReason, TokenUsage } from '../../providers/chat-completion.js';
import type { AnswerOutcome } from './answer-outcome.js';
import { deliveredBytes } from './delivered-bytes.js';

/** What a streamed answer has brought so far. */
export class StreamTally {
  usage: TokenUsage | null = null;
  finishReason: FinishReason | null = null;
  nativeFinishReason: string | null = null;
  upstreamId: string | null = null;
  serviceTier: string | null = null;
  /** Of texts, reasoning and arguments of tools, in UTF-8. */
  deliveredBytes = 0;

  /** What the stream has come to, but for who ended it. */
  get outcome(): Omit<AnswerOutcome, 'isCancelled' | 'hasFailed'> {
    const { usage, deliveredBytes, finishReason, nativeFinishReason, upstreamId, serviceTier } = this;
    return { usage, deliveredBytes, finishReason, nativeFinishReason, upstreamId, serviceTier };
  }

  add(chunk: ChatChunk): void {
    this.usage = chunk.usage ?? this.usage;
    this.upstreamId ??= chunk.upstreamId ?? null;
    this.serviceTier = chunk.serviceTier ?? this.serviceTier;
    for (const { delta, finish_reason: reason, native_finish_reason: native } of chunk.choices) {
      this.finishReason = reason ?? this.finishReason;
      this.nativeFinishReason = native ?? this.nativeFinishReason;
      this.deliveredBytes += deliveredBytes(delta);
    }
  }
}
