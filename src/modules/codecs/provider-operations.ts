import type { OperationName } from '../../telemetry/operations.js';
import type { ChatChunk, ChatCompletion, ChatRequest } from './chat/chat-completion.js';
import type { EmbeddingList, EmbeddingRequest } from './chat/embeddings.js';
import type { ImagePart, ImageRequest, SentImages } from './chat/images.js';
import type { RankedDocuments, RerankRequest } from './chat/rerank.js';
import type { SpeechRequest } from './chat/speech.js';
import type { Transcription, TranscriptionRequest } from './chat/transcription.js';
import type { ModerationRequest, Moderations } from './openai-chat/moderations.js';

/**
 * What providers are asked for by each operation, and how they answer: with a document (`whole`), or with a stream that has parts
 * (`part`); `never` for what an operation does not have. The answer to one that has neither is bytes.
 */
export interface ProviderOperations {
  readonly chat: ProviderOperation<ChatRequest, ChatCompletion, ChatChunk>;
  readonly embeddings: ProviderOperation<EmbeddingRequest, EmbeddingList>;
  readonly rerank: ProviderOperation<RerankRequest, RankedDocuments>;
  readonly speech: ProviderOperation<SpeechRequest>;
  readonly transcription: ProviderOperation<TranscriptionRequest, Transcription>;
  readonly image: ProviderOperation<ImageRequest, SentImages, ImagePart>;
  readonly moderation: ProviderOperation<ModerationRequest, Moderations>;
}

interface ProviderOperation<Request, Whole = never, Part = never> {
  readonly request: Request;
  readonly whole: Whole;
  readonly part: Part;
}

/** A request of an operation as providers get it. */
export type RequestOf<Name extends OperationName> = ProviderOperations[Name]['request'];

/** A whole answer of an operation. */
export type WholeOf<Name extends OperationName> = ProviderOperations[Name]['whole'];

/** A part of a streamed answer of an operation. */
export type PartOf<Name extends OperationName> = ProviderOperations[Name]['part'];
