import type { OperationName } from '../../telemetry/operations.js';
import type { ChatOperation } from '../catalog/capabilities/model-capabilities.js';
import type { CountedUsage } from './chat/chat-completion.js';
import type { RequestAdjustments } from './chat/request-adjustments.js';
import type { PartOf, RequestOf, WholeOf } from './provider-operations.js';

/** The address and the credential with which a provider is called. */
export interface Upstream {
  /** The provider of the catalog. */
  readonly provider: string;
  /** The base URL, without a slash at its end; the protocol adds the path of an operation. */
  readonly baseUrl: string;
  /** The secret of the credential: an API key, or a document of it. Null for a server that wants none. */
  readonly apiKey: string | null;
  /** What was issued for the credential and sent, such as an access token: no message may show it. */
  readonly issuedSecrets?: Set<string>;
  readonly timeouts: UpstreamTimeouts;
}

/** How long each step with a provider may take, in milliseconds. */
export interface UpstreamTimeouts {
  readonly connect: number;
  /** Until the head of the answer. */
  readonly headers: number;
  /** Until the first event of a stream after its head. */
  readonly firstEvent: number;
  /** Between two events of a stream, or two pieces of a body. */
  readonly gap: number;
}

/** The headers of an answer, by their names in lower case. */
export type AnswerHead = Readonly<Record<string, string | string[] | undefined>>;

/** An event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerSentEvent {
  /** The name of the event; undefined if it has none. */
  readonly event: string | undefined;
  readonly data: string;
}

/** Decodes the events of one stream. */
export interface StreamDecoder<Value> {
  /** Is told the head of the answer, before its events; absent where nothing stands in it. */
  headed?(head: AnswerHead): void;
  /** Reads an event. @returns undefined for one without a value @throws what the iteration then throws */
  read(event: ServerSentEvent): Value | undefined;
  /** Whether a value adds something to the answer, and is not only a sign of life. */
  hasAnswerPart(value: Value): boolean;
  /** Whether an event is the last one: the iteration ends after it, whether or not the connection does. */
  isLast(event: ServerSentEvent): boolean;
  /** Whether the answer is complete, so that nothing but its usage and its end can come. */
  hasFinished(): boolean;
  /** The estimated bytes of what it keeps of the events that were read; absent where that is little, whatever a provider sends. */
  readonly keptBytes?: number;
  /** The longest event that is read, with what stands before it, in UTF-16 code units; absent for the bound of every stream. */
  readonly longestEvent?: number;
  /** Called when all events were read. @throws for a stream that is not complete */
  ended(): void;
}

/** A request in the dialect of a provider. */
export interface EncodedRequest {
  /** What is added to the base URL, with a slash at its beginning. */
  readonly path: string;
  /** Headers of the dialect besides those of the credential; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or as the form that it is (`MultipartForm`). */
  readonly body: object;
}

/** How a dialect has an operation. Nothing of a request is kept. */
export interface CodecOperation<Name extends OperationName> {
  /** Whether media of requests have to be in them: a provider of this dialect is given no addresses. */
  readonly embedsMedia?: boolean;

  /**
   * Encodes a request: as several where an answer has only a part of what was asked for.
   *
   * @param adjustments is told what is left out or changed
   * @throws ProviderError for what the dialect has no form for
   */
  encode(request: RequestOf<Name>, isStreamed: boolean, adjustments?: RequestAdjustments): readonly EncodedRequest[];

  /**
   * Decodes the whole answers to the requests, in their order; absent where an answer is bytes.
   *
   * @param request whose answers they are
   * @param heads theirs, in the same order
   * @throws whatever an answer in another form makes it throw
   */
  decode?(
    documents: readonly unknown[],
    request: RequestOf<Name>,
    upstream: Upstream,
    heads: readonly AnswerHead[],
  ): WholeOf<Name>;

  /** Begins to decode a streamed answer; absent where there is none. */
  streamDecoder?(request: RequestOf<Name>, upstream: Upstream): StreamDecoder<PartOf<Name>>;
}

/** The operations of a dialect by their names; absent are those that it does not have. */
export type CodecOperations = { readonly [Name in OperationName]?: CodecOperation<Name> };

/** A dialect that providers speak: how requests are encoded, and answers decoded. */
export interface UpstreamCodec {
  /** The operation of providers that answers chats, by its name in capabilities. */
  readonly operation: ChatOperation;
  /** Whether requests have to say what is known of their model (`KNOWN_MODEL`), because its form depends on it. */
  readonly dependsOnModel?: boolean;

  /** What a provider has counted in an answer that cannot be decoded; undefined for nothing. */
  countedIn(document: unknown): CountedUsage | undefined;

  readonly operations: CodecOperations & { readonly chat: Required<Omit<CodecOperation<'chat'>, 'embedsMedia'>> };
}
