import type { ChatOperation } from '../catalog/index.js';
import type { ChatChunk, ChatCompletion, ChatRequest, CountedUsage } from './chat/chat-completion.js';
import type { ImagePart, ImageRequest, SentImages } from './chat/images.js';
import type { RankedDocuments, RerankRequest } from './chat/rerank.js';
import type { EmbeddingList, EmbeddingRequest } from './chat/embeddings.js';
import type { RequestAdjustments } from './chat/request-adjustments.js';
import type { SpeechRequest } from './chat/speech.js';
import type { Transcription, TranscriptionRequest } from './chat/transcription.js';

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

/** A dialect that providers speak: how requests are encoded, and answers decoded. Nothing of a request is kept. */
export interface UpstreamCodec {
  /** The operation of providers that answers chats, by its name in capabilities. */
  readonly operation: ChatOperation;
  /** Whether requests have to say what is known of their model (`KNOWN_MODEL`), because its form depends on it. */
  readonly dependsOnModel?: boolean;

  /** Whether images and files of requests have to be in them: a provider of this dialect is given no addresses. */
  readonly embedsMedia?: boolean;

  /**
   * Encodes a request.
   *
   * @param adjustments is told what is left out or changed
   * @throws ProviderError for what the dialect has no form for
   */
  encode(request: ChatRequest, isStreamed: boolean, adjustments?: RequestAdjustments): EncodedRequest;

  /** Decodes a whole answer. @param request whose answer it is @throws whatever an answer in another form makes it throw */
  decode(document: unknown, upstream: Upstream, request: ChatRequest, head?: AnswerHead): ChatCompletion;

  /** Begins to decode a streamed answer. */
  streamDecoder(request: ChatRequest, upstream: Upstream): StreamDecoder<ChatChunk>;

  /** What a provider has counted in an answer that cannot be decoded; undefined for nothing. */
  countedIn(document: unknown): CountedUsage | undefined;

  /** Embeddings of texts; absent from a dialect that has none. */
  readonly embeddings?: {
    /**
     * Encodes a request: as several where a provider takes fewer inputs at once.
     *
     * @throws ProviderError for what the dialect has no form for
     */
    encode(request: EmbeddingRequest): readonly EncodedRequest[];
    /**
     * Decodes the answers to the requests, in their order.
     *
     * @param heads theirs, in the same order
     * @throws ProviderError unless there is one embedding for each input of the request
     */
    decode(documents: readonly unknown[], request: EmbeddingRequest, heads?: readonly AnswerHead[]): EmbeddingList;
  };

  /** Texts that are spoken; absent from a dialect that has none of it. The answer is the audio itself. */
  readonly speech?: { encode(request: SpeechRequest): EncodedRequest };

  /** Recordings that are written down; absent from a dialect that has none of it. */
  readonly transcription?: {
    encode(request: TranscriptionRequest): EncodedRequest;
    /** @throws ProviderError for an answer without a text, or without the speakers that the request asks for */
    decode(document: unknown, request: TranscriptionRequest): Transcription;
  };

  /** Ranking of documents; absent from a dialect that has none. */
  readonly rerank?: {
    encode(request: RerankRequest): EncodedRequest;
    /** @throws ProviderError unless the documents of the request are ranked */
    decode(document: unknown, request: RerankRequest): RankedDocuments;
  };

  /** Drawing of images; absent from a dialect that draws none. */
  readonly images?: {
    /** Whether references have to be in the request: a provider of this dialect is given no addresses. */
    readonly embedsReferences?: boolean;
    /**
     * Encodes a request: as several where an answer has one image.
     *
     * @throws ProviderError for what the dialect has no form for
     */
    encode(request: ImageRequest, isStreamed: boolean): readonly EncodedRequest[];
    /** Decodes the answers to the requests, in their order. @throws ProviderError for one without an image */
    decode(documents: readonly unknown[], upstream: Upstream): SentImages;
    /** Begins to decode a streamed answer; absent from a dialect that has no streams of images. */
    streamDecoder?(request: ImageRequest, upstream: Upstream): StreamDecoder<ImagePart>;
  };
}
