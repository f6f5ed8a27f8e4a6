import type { AnswerMemory } from '../../api/input/inference-memory.js';
import type { ChatChunk, ChatCompletion, ChatRequest } from './chat/chat-completion.js';
import type { EmbeddingList, EmbeddingRequest } from './chat/embeddings.js';
import type { RequestAdjustments } from './chat/request-adjustments.js';

/** The address and the credential with which a provider is called. */
export interface Upstream {
  /** The provider of the catalog. */
  readonly provider: string;
  /** The base URL, without a slash at its end; the protocol adds the path of an operation. */
  readonly baseUrl: string;
  /** Null for a server that wants none. */
  readonly apiKey: string | null;
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

/** The caller that a provider is asked for. */
export interface Asker {
  /** Whose turns of the event loop the work on a large answer takes (docs/limits.md#event-loop). */
  readonly organizationId: string;
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** What the answer holds memory of; without one nothing is counted. */
  readonly memory?: AnswerMemory;
  /** Is told when the provider has got the whole request. */
  readonly sent?: () => void;
  /** Is told what the provider does not get, or gets in another form. */
  readonly adjustments?: RequestAdjustments;
}

/** How an operation of a provider is called and its answer is read. Implementations keep nothing of a request. */
export interface ProviderProtocol {
  /**
   * Asks for a whole answer.
   *
   * @throws ProviderError
   */
  complete(upstream: Upstream, request: ChatRequest, asker: Asker): Promise<ChatCompletion>;

  /**
   * Asks for a streamed answer. The iteration ends without an error only if the provider finished: a stream that breaks off
   * throws. Leaving the iteration ends the request.
   *
   * @throws ProviderError before the first chunk, or after any
   */
  stream(upstream: Upstream, request: ChatRequest, asker: Asker): AsyncIterable<ChatChunk, void>;

  /**
   * The body with which {@link stream} asks for an answer, without any credential.
   *
   * @throws ProviderError for what the protocol has no form for
   */
  streamBody(upstream: Upstream, request: ChatRequest): object;

  /**
   * Asks for the embeddings of texts. Absent from a protocol that has none.
   *
   * @throws ProviderError
   */
  embed?(upstream: Upstream, request: EmbeddingRequest, asker: Asker): Promise<EmbeddingList>;
}

/** Whether a protocol has embeddings. */
export function hasEmbeddings(protocol: ProviderProtocol): boolean {
  return 'embed' in protocol;
}
