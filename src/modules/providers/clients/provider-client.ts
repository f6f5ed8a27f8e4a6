import type { OperationName } from '../../../telemetry/operations.js';
import type { AnswerMemory } from '../../../http/input/request-memory.js';
import type { ChatRequest } from '../../codecs/chat/chat-completion.js';
import type { PartOf, RequestOf, WholeOf } from '../../codecs/provider-operations.js';
import type { RequestAdjustments } from '../../codecs/chat/request-adjustments.js';
import type { SpokenAudio } from '../../codecs/chat/speech.js';
import type { CalledUpstream } from '../upstream/called-upstream.js';
import type { ReferenceImages } from '../upstream/reference-images.js';

/** The caller that a provider is asked for. */
export interface Asker {
  /** Whose turns of the event loop the work on a large answer takes (docs/limits.md#event-loop). */
  readonly organizationId: string;
  readonly signal: AbortSignal;
  /** What the answer holds memory of; without one nothing is counted. */
  readonly memory?: AnswerMemory;
  /** Keeps images that were fetched for the request; without it each provider fetches them. */
  readonly references?: ReferenceImages;
  /** Is told when the provider has got the whole request. */
  readonly sent?: () => void;
  /** Is told that a try has failed without an answer, and that the request is retried (docs/interface/providers.md#calls). */
  readonly repeated?: () => void;
  /** The `Via` of the client's request, if it has one. */
  readonly via?: string | undefined;
  /** Is told what the provider does not get, or gets in another form. */
  readonly adjustments?: RequestAdjustments;
}

/** How an operation is answered: with a document, with a stream of parts, or with bytes. */
export type AnswerKind = 'whole' | 'stream' | 'bytes';

/** Calls the operations of providers, each answer of a kind that the operation has. Implementations keep nothing of a request. */
export interface ProviderClient {
  /** Whether the provider has an operation with answers of this kind. What it does not have it is not asked for. */
  has(operation: OperationName, kind?: AnswerKind): boolean;

  /**
   * Asks for a whole answer.
   *
   * @throws ProviderError
   */
  whole<Name extends OperationName>(
    operation: Name,
    upstream: CalledUpstream,
    request: RequestOf<Name>,
    asker: Asker,
  ): Promise<WholeOf<Name>>;

  /**
   * Asks for a streamed answer. The iteration ends without an error only if the provider finished: a stream that breaks off
   * throws. Leaving the iteration ends the request.
   *
   * @throws ProviderError before the first part, or after any
   */
  stream<Name extends OperationName>(
    operation: Name,
    upstream: CalledUpstream,
    request: RequestOf<Name>,
    asker: Asker,
  ): AsyncIterable<PartOf<Name>, void>;

  /**
   * Asks for an answer of bytes, and waits for its head.
   *
   * @throws ProviderError
   */
  bytes<Name extends OperationName>(
    operation: Name,
    upstream: CalledUpstream,
    request: RequestOf<Name>,
    asker: Asker,
  ): Promise<SpokenAudio>;

  /**
   * The body with which {@link stream} asks for the answer to a chat, without any credential.
   *
   * @throws ProviderError for what the dialect has no form for
   */
  streamBody(upstream: CalledUpstream, request: ChatRequest, adjustments: RequestAdjustments): object;
}
