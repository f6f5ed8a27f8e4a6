import type { AnswerMemory } from '../../../http/input/inference-memory.js';
import type {
  ChatChunk,
  ChatCompletion,
  ChatRequest,
  DrawnImages,
  EmbeddingList,
  EmbeddingRequest,
  ImagePart,
  ImageRequest,
  RankedDocuments,
  RequestAdjustments,
  RerankRequest,
  SpeechRequest,
  SpokenAudio,
  Transcription,
  TranscriptionRequest,
} from '../../codecs/index.js';
import type { CalledUpstream } from '../upstream/called-upstream.js';
import type { ReferenceImages } from '../upstream/reference-images.js';

/** The caller that a provider is asked for. */
export interface Asker {
  /** Whose turns of the event loop the work on a large answer takes (docs/limits.md#event-loop). */
  readonly organizationId: string;
  /** Ends the request. */
  readonly signal: AbortSignal;
  /** What the answer holds memory of; without one nothing is counted. */
  readonly memory?: AnswerMemory;
  /** Keeps images that were fetched for the request; without it each provider fetches them. */
  readonly references?: ReferenceImages;
  /** Is told when the provider has got the whole request. */
  readonly sent?: () => void;
  /** Is told that a try has failed without an answer, and that the request is sent once more (docs/interface/providers.md#calls). */
  readonly repeated?: () => void;
  /** The `Via` of the client's request, if it has one. */
  readonly via?: string | undefined;
  /** Is told what the provider does not get, or gets in another form. */
  readonly adjustments?: RequestAdjustments;
}

/** Calls the operations of providers. Implementations keep nothing of a request. */
export interface ProviderClient {
  /**
   * Asks for a whole answer.
   *
   * @throws ProviderError
   */
  complete(upstream: CalledUpstream, request: ChatRequest, asker: Asker): Promise<ChatCompletion>;

  /**
   * Asks for a streamed answer. The iteration ends without an error only if the provider finished: a stream that breaks off
   * throws. Leaving the iteration ends the request.
   *
   * @throws ProviderError before the first chunk, or after any
   */
  stream(upstream: CalledUpstream, request: ChatRequest, asker: Asker): AsyncIterable<ChatChunk, void>;

  /**
   * The body with which {@link stream} asks for an answer, without any credential.
   *
   * @throws ProviderError for what the dialect has no form for
   */
  streamBody(upstream: CalledUpstream, request: ChatRequest, adjustments: RequestAdjustments): object;

  /**
   * Asks for the embeddings of texts. Absent where the provider has none.
   *
   * @throws ProviderError
   */
  readonly embed?: (upstream: CalledUpstream, request: EmbeddingRequest, asker: Asker) => Promise<EmbeddingList>;

  /**
   * Asks for documents to be ranked. Absent where the provider has none of it.
   *
   * @throws ProviderError
   */
  readonly rerank?: (upstream: CalledUpstream, request: RerankRequest, asker: Asker) => Promise<RankedDocuments>;

  /**
   * Asks for a text to be spoken, and waits for the head of the answer. Absent where the provider has none of it.
   *
   * @throws ProviderError
   */
  readonly speak?: (upstream: CalledUpstream, request: SpeechRequest, asker: Asker) => Promise<SpokenAudio>;

  /**
   * Asks for a recording to be written down. Absent where the provider has none of it.
   *
   * @throws ProviderError
   */
  readonly transcribe?: (
    upstream: CalledUpstream,
    request: TranscriptionRequest,
    asker: Asker,
  ) => Promise<Transcription>;

  /**
   * Asks for images. Absent where the provider draws none.
   *
   * @throws ProviderError
   */
  readonly draw?: (upstream: CalledUpstream, request: ImageRequest, asker: Asker) => Promise<DrawnImages>;

  /**
   * Asks for images as a stream, which ends as {@link stream} does. Absent where the provider streams none.
   *
   * @throws ProviderError before the first part, or after any
   */
  readonly drawInParts?: (
    upstream: CalledUpstream,
    request: ImageRequest,
    asker: Asker,
  ) => AsyncIterable<ImagePart, void>;
}
