import type { DomainError } from '../../../api/errors/domain-error.js';
import type { LongWork } from '../../../concurrency/long-work.js';
import type { ChatChunk, ChatCompletion } from '../../providers/chat-completion.js';
import type { Candidate } from '../attempts/candidate.js';
import type { ChatCompletionRequest } from '../dto/chat-completion-request.dto.js';
import type { GenerationDraft } from '../generation-draft.js';
import type { RateHeaders } from '../rates/rate-headers.js';
import type { StreamEvent } from './event-stream.js';
import type { AnswerUsage } from './usage.js';

/** The origin of an answer: the request, and the endpoint that answers it. */
export interface AnswerOrigin {
  readonly draft: GenerationDraft;
  readonly candidate: Candidate;
  /** The body of the request. */
  readonly body: ChatCompletionRequest;
  /** The field that shows how the request was routed; empty unless it was asked for. */
  readonly routing: () => object;
}

/** A request for a stream that was refused before anything of an answer had come. */
export interface RefusedRequest extends Pick<AnswerOrigin, 'draft' | 'body' | 'routing'> {
  readonly error: DomainError;
}

/**
 * The form in which an operation answers: that of chat completions, or another one that is written from it. What the request
 * excludes, such as the reasoning, is left out before.
 */
export interface AnswerForm {
  /** The event that is sent after a silence; by default a comment. */
  readonly keepAlive?: StreamEvent;

  /** The headers about limits per minute that its clients read besides those of every operation. */
  readonly rateHeaders?: RateHeaders;

  /** Writes a whole answer, which has been charged. @param work lets others use the event loop where the answer is large */
  whole(origin: AnswerOrigin, completion: ChatCompletion, usage: AnswerUsage, work: LongWork): object | Promise<object>;

  /** Begins to write one streamed answer. */
  stream(origin: AnswerOrigin): StreamedForm;

  /**
   * The events of a stream that says why a request was refused, in place of a status, where clients of the form only understand it
   * there; undefined for any other refusal.
   */
  refusedStream?(refused: RefusedRequest): readonly StreamEvent[] | undefined;
}

/** Writes one streamed answer. It may keep what it has to know of what it wrote. */
export interface StreamedForm {
  /** The estimated bytes of what it keeps of the answer, with those that it needs to write it again at the end; absent where that is little. */
  readonly keptBytes?: number;

  /** The events that show what a provider was sent, ahead of all others; absent from a form that has none. */
  echo?(body: object): readonly StreamEvent[];

  /** The events for a chunk of the provider; none if it has nothing for the client. */
  chunk(chunk: ChatChunk): readonly StreamEvent[];

  /**
   * The events that end a complete answer, which has been charged. A stream ends with them only if the provider has finished.
   *
   * @param serviceTier null where the provider does not say
   */
  end(usage: AnswerUsage, serviceTier: string | null): readonly StreamEvent[];

  /** The events that end an answer which cannot be completed, even if nothing of it was sent. */
  failure(error: unknown): readonly StreamEvent[];
}
