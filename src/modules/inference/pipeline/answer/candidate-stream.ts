import { ClientGoneError } from '../../../../http/client-signal.js';
import type { Candidate } from '../request/candidate.js';
import type { ChargedAttempt } from '../attempts/charged-attempts.service.js';
import { mayThinkUnseen } from '../attempts/hidden-reasoning.js';
import type { ChatChunk } from '../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../codecs/chat/client-request.js';
import type { Decision } from '../request/decision.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import { BoundedImages, mostImagesOf } from './bounded-images.js';
import { StreamTally } from './stream-tally.js';

/** How long the rest of an answer is read for its usage when its client has left, in milliseconds. */
const MAXIMUM_READING_MS = 20_000;

/** The estimated speed of unseen reasoning, in tokens a second, for where the provider has not counted it. */
const HIDDEN_TOKENS_PER_SECOND = 100;

/** What the streams of one request have in common. */
export interface StreamedRequest extends Pick<Decision<unknown>, 'reservation' | 'size'> {
  readonly body: ClientChatRequest;
  /** Aborted when the client leaves, or the answer has to end for another reason. */
  readonly signal: AbortSignal;
  /** Whether what is delivered is kept for the record. */
  readonly keepsOutput: boolean;
}

/**
 * A stream that a candidate was asked for. When the client leaves, the request to the provider ends at once, so that the model stops; an
 * answer that has ended is read to its usage, for some seconds at most.
 */
export class CandidateStream implements ChargedAttempt {
  readonly tally: StreamTally;
  /** What has come of an answer that has not begun: its first token is the last of these. They are taken away as they are passed on. */
  readonly chunksBeforeToken: ChatChunk[] = [];
  private readonly mayThinkUnseen: boolean;
  private sentAt: number | undefined;
  private unlisten: (() => void) | undefined;

  constructor(
    readonly candidate: Candidate,
    private readonly request: StreamedRequest,
  ) {
    const { body, keepsOutput } = request;
    this.tally = new StreamTally(body['audio'], keepsOutput, new BoundedImages(mostImagesOf(request, candidate)));
    this.mayThinkUnseen = mayThinkUnseen(candidate, body);
  }

  /** Whether the provider has the whole request, so that it may charge for it. */
  get isSent(): boolean {
    return this.sentAt !== undefined;
  }

  /** Whether the stream is read on although the client has left: the answer has ended, and only its usage is missing. */
  get isReadOn(): boolean {
    return this.tally.isFinished && this.tally.usage === null;
  }

  /** The outcome of a stream that its client has left. */
  get leftOutcome(): AnswerOutcome {
    return { ...this.tally.outcome, hiddenTokens: this.hiddenTokens, isCancelled: true, hasFailed: false };
  }

  /** The outcome of a stream that its client has left before it has begun, with what has come. */
  unbegunOutcome(): AnswerOutcome {
    for (const chunk of this.chunksBeforeToken) this.tally.add(chunk);
    this.chunksBeforeToken.length = 0;
    return this.leftOutcome;
  }

  /** Notes that the provider has the whole request. */
  readonly sent = (): void => {
    this.sentAt ??= performance.now();
  };

  /** The most tokens that the answer may have. */
  get longestAnswer(): number {
    const { body } = this.request;
    const { row } = this.candidate.endpoint;
    return body.max_completion_tokens ?? body.max_tokens ?? row.maxCompletionTokens ?? row.contextLength;
  }

  /** The estimated tokens of unseen reasoning: what a model thinks in the time, at most what the answer may have besides what has come. */
  private get hiddenTokens(): number {
    const thinksUnseen = this.mayThinkUnseen && !this.tally.delivered.showsReasoning;
    if (!thinksUnseen || this.sentAt === undefined || this.tally.isFinished) return 0;
    const { texts, audio, images } = this.tally.outcome.delivered;
    const seconds = (performance.now() - this.sentAt) / 1_000;
    return Math.max(
      0,
      Math.min(Math.ceil(seconds * HIDDEN_TOKENS_PER_SECOND), this.longestAnswer - texts - audio - images),
    );
  }

  /** A signal that ends the request to the provider. @param maximumReadingMs in milliseconds */
  endingSignal(maximumReadingMs = MAXIMUM_READING_MS): AbortSignal {
    const { signal: client } = this.request;
    const controller = new AbortController();
    const end = (): void => controller.abort(client.reason);
    const leave = (): void => {
      if (this.isReadOn && client.reason instanceof ClientGoneError) setTimeout(end, maximumReadingMs).unref();
      else end();
    };
    client.addEventListener('abort', leave);
    this.unlisten = () => client.removeEventListener('abort', leave);
    return controller.signal;
  }

  /** Notes that it has failed before it began, so that nothing is left to end: a request may ask many candidates. */
  abandon(): void {
    this.unlisten?.();
  }
}
