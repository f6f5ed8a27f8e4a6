import type { DomainError } from '../../http/errors/domain-error.js';
import type { ChatChunk, ChatCompletion, TokenUsage } from './chat/chat-completion.js';
import type { ClientChatRequest } from './chat/client-request.js';

/** An event of a stream. */
export interface StreamEvent {
  /** Its kind, where the dialect has several. */
  readonly event?: string;
  /** A text is sent as it is. */
  readonly data: object | string;
}

/** The last event of a complete stream of chunks. */
export const DONE: StreamEvent = { data: '[DONE]' };

/** Usage and cost, as answers show them (docs/interface/inference.md#usage). */
export interface AnswerUsage extends TokenUsage {
  readonly cost: number;
  readonly is_byok: boolean;
  readonly cost_details: {
    readonly upstream_inference_cost: number | null;
    readonly upstream_inference_prompt_cost: number;
    readonly upstream_inference_completions_cost: number;
  };
}

/** What an answer says of itself, and the request that it answers. */
export interface AnswerOrigin {
  readonly id: string;
  /** Unix time in seconds. */
  readonly created: number;
  /** The id of the model that answers. */
  readonly model: string;
  /** The name of the provider that answers. */
  readonly provider: string;
  readonly body: ClientChatRequest;
  /** The field that shows how the request was routed; empty unless it was asked for. */
  readonly routing: () => object;
}

/** A request for a stream that was refused before anything of an answer had come. */
export interface RefusedRequest extends Omit<AnswerOrigin, 'model' | 'provider'> {
  readonly error: DomainError;
}

/**
 * Writes answers in the dialect of a client: that of chat completions, or another one that is written from it. What the request
 * excludes, such as the reasoning, is left out before.
 */
export interface AnswerEncoder {
  /** The event that is sent after a silence; by default a comment. */
  readonly keepAlive?: StreamEvent;

  /** Whether a whole answer that its provider gave up is an error, because the form has no word for such an end. */
  readonly refusesFailedAnswers?: boolean;

  /** Writes a whole answer, which has been charged. */
  whole(origin: AnswerOrigin, completion: ChatCompletion, usage: AnswerUsage): object;

  stream(origin: AnswerOrigin): StreamEncoder;

  /**
   * The events of a stream that says why a request was refused, in place of a status, where clients of the dialect only understand it
   * there; undefined for any other refusal.
   */
  refusedStream?(refused: RefusedRequest): readonly StreamEvent[] | undefined;
}

/** Writes one streamed answer. It may keep what it has to know of what it wrote. */
export interface StreamEncoder {
  /** The estimated bytes of what it keeps of the answer, with those that it needs to write it again at the end; absent where that is little. */
  readonly keptBytes?: number;

  /** The events that show what a provider was sent, ahead of all others; absent from a dialect that has none. */
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
