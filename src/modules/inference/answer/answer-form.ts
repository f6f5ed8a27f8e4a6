import type { ChatChunk, ChatCompletion } from '../../providers/chat-completion.js';
import type { Candidate } from '../attempts/candidate.js';
import type { GenerationDraft } from '../generation-draft.js';
import type { PreparedChat } from '../request/prepared-chat.js';
import type { StreamEvent } from './event-stream.js';
import type { AnswerUsage } from './usage.js';

/** What every answer says of itself: which request it answers, and who answers it. */
export interface AnswerOrigin {
  readonly draft: GenerationDraft;
  readonly candidate: Candidate;
  /** What was asked. */
  readonly body: PreparedChat['body'];
}

/** What an answer says at its end. */
export interface AnswerCharge {
  readonly usage: AnswerUsage;
  /** How the request was routed, as a field; none where the client has not asked for it. */
  readonly routing: object;
}

/** The same for a streamed answer. */
export interface StreamEnding extends AnswerCharge {
  /** Null where the provider does not say. */
  readonly serviceTier: string | null;
}

/** The form in which an operation answers: that of chat completions, or another one that is written from it. */
export interface AnswerForm {
  /** What is sent when there is nothing to send; by default a comment. */
  readonly keepAlive?: StreamEvent;

  /** Writes a whole answer, which has been charged. */
  whole(origin: AnswerOrigin, completion: ChatCompletion, charge: AnswerCharge): object;

  /** Begins to write one streamed answer. */
  stream(origin: AnswerOrigin): StreamedForm;
}

/** Writes one streamed answer. It may keep what it has to know of what it wrote. */
export interface StreamedForm {
  /** The events for a chunk of the provider; none if it has nothing for the client. */
  chunk(chunk: ChatChunk): readonly StreamEvent[];

  /** The events that end a complete answer, which has been charged. A stream ends with them only if the provider has finished. */
  end(ending: StreamEnding): readonly StreamEvent[];

  /**
   * The events that end an answer which cannot be completed, also one of which nothing was sent.
   *
   * @param routing how the request was routed, as a field; none where the client has not asked for it
   */
  failure(error: unknown, routing: object): readonly StreamEvent[];
}
