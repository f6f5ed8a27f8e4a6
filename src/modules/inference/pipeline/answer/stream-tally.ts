import type {
  ChatChunk,
  ChatChunkChoice,
  CountedUsage,
  FinishReason,
  TokenUsage,
} from '../../../codecs/chat/chat-completion.js';
import { withLaterUsage } from '../../../codecs/chat/later-usage.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import type { BoundedImages } from './bounded-images.js';
import { DeliveredAnswer } from './delivered-answer.js';
import { StreamedOutput } from './kept-output.js';

/** Of how many choices it is kept how they ended. */
const MAXIMUM_CHOICES = 128;

/** What a streamed answer has brought so far. */
export class StreamTally {
  finishReason: FinishReason | null = null;
  nativeFinishReason: string | null = null;
  upstreamId: string | null = null;
  serviceTier: string | null = null;
  /** What has come, whether or not the client is shown it. */
  readonly delivered: DeliveredAnswer;

  private readonly kept: StreamedOutput | undefined;
  /** By the index of the choice. */
  private readonly finishReasons = new Map<number, FinishReason>();
  private counted: CountedUsage | undefined;

  /**
   * @param audio what the request says about the audio of its answer
   * @param keepsOutput whether what is delivered is kept for the record
   * @param images bounds those of the answer
   */
  constructor(
    audio: unknown,
    keepsOutput: boolean,
    private readonly images: BoundedImages,
  ) {
    this.delivered = new DeliveredAnswer(audio);
    if (keepsOutput) this.kept = new StreamedOutput();
  }

  /** What the provider has counted; null for nothing. */
  get usage(): TokenUsage | null {
    return this.counted?.usage ?? null;
  }

  /** The estimated bytes of what is kept for the record. */
  get keptBytes(): number {
    return this.kept?.keptBytes ?? 0;
  }

  get isFinished(): boolean {
    return this.finishReason !== null;
  }

  /** What the stream has come to, but for who ended it. */
  get outcome(): Omit<AnswerOutcome, 'isCancelled' | 'hasFailed' | 'error'> {
    const { usage, counted, delivered } = this;
    const { finishReason, nativeFinishReason, upstreamId, serviceTier } = this;
    const output = this.kept?.output ?? null;
    return {
      usage,
      isAnswerUncounted: counted?.isAnswerUncounted === true,
      isPromptUncounted: counted?.isPromptUncounted === true,
      delivered: delivered.tokens(finishReason !== null),
      units: { image: delivered.imageSizes.length },
      imageSizes: delivered.imageSizes,
      isCut: this.images.isExceeded,
      finishReason,
      finishReasons: [...this.finishReasons].sort(([one], [other]) => one - other).map(([, reason]) => reason),
      nativeFinishReason,
      upstreamId,
      serviceTier,
      output,
    };
  }

  /** Keeps what the client is shown of a chunk. */
  deliver(choices: readonly ChatChunkChoice[]): void {
    this.kept?.add(choices);
  }

  /** Takes a chunk. @returns it as it may be delivered */
  add(came: ChatChunk): ChatChunk {
    const choices = this.images.ofChunk(came.choices);
    const chunk = choices === came.choices ? came : { ...came, choices };
    const { usage, isAnswerUncounted, isPromptUncounted } = chunk;
    if (usage !== null && usage !== undefined) {
      this.counted = withLaterUsage(this.counted, {
        usage,
        ...(isAnswerUncounted === true && { isAnswerUncounted }),
        ...(isPromptUncounted === true && { isPromptUncounted }),
      });
    }
    this.upstreamId ??= chunk.upstreamId ?? null;
    this.serviceTier = chunk.serviceTier ?? this.serviceTier;
    for (const { index, delta, finish_reason: reason, native_finish_reason: native } of chunk.choices) {
      if (reason !== null && index < MAXIMUM_CHOICES) this.finishReasons.set(index, reason);
      this.finishReason = reason ?? this.finishReason;
      this.nativeFinishReason = native ?? this.nativeFinishReason;
      this.delivered.add(delta);
    }
    return chunk;
  }
}
