import type { Type } from '@nestjs/common';
import type { DtoClass } from '../../../http/validation/dto-fields.js';
import { CHAT } from './chat/operation.js';
import { ChatCompletionRequest } from './chat/dto/chat-completion-request.dto.js';
import { EmbeddingsRequest } from './embeddings/dto/embeddings-request.dto.js';
import { EMBEDDINGS } from './embeddings/operation.js';
import { ImageGenerationRequest } from './images/dto/image-request.dto.js';
import { OpenAiImageEditRequest } from './images/dto/openai-image-edit.dto.js';
import { OpenAiImageRequest } from './images/dto/openai-image-request.dto.js';
import { bodyOf, editBodyOf, openAiBodyOf, stepsInEdit, stepsInGeneration } from './images/image-forms.js';
import { IMAGES } from './images/operation.js';
import { RerankRequest } from './rerank/dto/rerank-request.dto.js';
import { RERANK } from './rerank/operation.js';
import { SpeechRequest } from './speech/dto/speech-request.dto.js';
import { SPEECH } from './speech/operation.js';
import { TranscriptionRequest } from './transcriptions/dto/transcription-request.dto.js';
import { transcriptionBodyOf, TRANSCRIPTIONS } from './transcriptions/operation.js';
import { ChatCompletionsController } from './chat/chat-completions.controller.js';
import { CompletionsController } from './completions/completions.controller.js';
import { EmbeddingsController } from './embeddings/embeddings.controller.js';
import { ImagesController } from './images/images.controller.js';
import { MessageTokensController } from './messages/message-tokens.controller.js';
import { MessagesController } from './messages/messages.controller.js';
import { ModerationRequest } from './moderations/dto/moderation-request.dto.js';
import { ModerationsController } from './moderations/moderations.controller.js';
import { MODERATIONS } from './moderations/operation.js';
import { PresetMessagesController } from './messages/preset-messages.controller.js';
import { PresetResponsesController } from './responses/preset-responses.controller.js';
import { RerankController } from './rerank/rerank.controller.js';
import { ResponsesController } from './responses/responses.controller.js';
import { SpeechController } from './speech/speech.controller.js';
import { TranscriptionsController } from './transcriptions/transcriptions.controller.js';
import type { Steps } from '../pipeline/content/fields/place-in-request.js';
import type { InferenceOperation, RoutedBody } from '../pipeline/request/operation.js';

/** The controllers of all operations, in every form that they are asked for. */
export const OPERATION_CONTROLLERS: readonly Type[] = [
  ChatCompletionsController,
  CompletionsController,
  EmbeddingsController,
  ImagesController,
  MessageTokensController,
  MessagesController,
  ModerationsController,
  PresetMessagesController,
  PresetResponsesController,
  RerankController,
  ResponsesController,
  SpeechController,
  TranscriptionsController,
];

/** A request as its operation takes it. */
export interface ReadRequest<Body extends RoutedBody> {
  readonly operation: InferenceOperation<Body>;
  readonly body: Body;
  /** Where in the request stands what the body has at a place. */
  readonly stepsInRequest: (steps: Steps) => Steps;
}

interface EvaluatedOperation {
  /** What a request is validated by: the class of the operation itself. */
  readonly type: DtoClass;
  /** Reads a valid request as the operation itself does, and hands it on. */
  readonly read: <Result>(request: object, take: TakesRequest<Result>) => Result;
}

type TakesRequest<Result> = <Body extends RoutedBody>(read: ReadRequest<Body>) => Result;

/**
 * The operations whose requests are evaluated, by their paths; that of chats is the default. The other forms of a chat are translated to
 * it, and `v2/rerank` takes what `rerank` takes.
 */
const OPERATIONS = {
  'chat/completions': evaluated(ChatCompletionRequest, CHAT, asItIs),
  embeddings: evaluated(EmbeddingsRequest, EMBEDDINGS, asItIs),
  rerank: evaluated(RerankRequest, RERANK, asItIs),
  'audio/speech': evaluated(SpeechRequest, SPEECH, asItIs),
  'audio/transcriptions': evaluated(TranscriptionRequest, TRANSCRIPTIONS, transcriptionBodyOf),
  moderations: evaluated(ModerationRequest, MODERATIONS, asItIs),
  images: evaluated(ImageGenerationRequest, IMAGES, bodyOf, stepsInGeneration),
  'images/generations': evaluated(OpenAiImageRequest, IMAGES, openAiBodyOf, stepsInGeneration),
  'images/edits': evaluated(OpenAiImageEditRequest, IMAGES, editBodyOf, stepsInEdit),
} as const satisfies Readonly<Record<string, EvaluatedOperation>>;

/** The path of an operation whose requests are evaluated. */
export type EvaluatedPath = keyof typeof OPERATIONS;

export const EVALUATED_PATHS = Object.keys(OPERATIONS) as EvaluatedPath[];

export const DEFAULT_PATH: EvaluatedPath = 'chat/completions';

/** The classes of the requests, by the paths of their operations. */
export const EVALUATED_TYPES: Readonly<Record<string, DtoClass>> = Object.fromEntries(
  Object.entries(OPERATIONS).map(([path, { type }]) => [path, type]),
);

/** Reads a request that is valid for its operation. @param take is given what was read */
export function readRequest<Result>(
  path: EvaluatedPath | undefined,
  request: object,
  take: TakesRequest<Result>,
): Result {
  const { read }: EvaluatedOperation = OPERATIONS[path ?? DEFAULT_PATH];
  return read(request, take);
}

function evaluated<Request extends object, Body extends RoutedBody>(
  type: DtoClass<Request>,
  operation: InferenceOperation<Body>,
  read: (request: Request) => Body,
  stepsInRequest = (steps: Steps): Steps => steps,
): EvaluatedOperation {
  return { type, read: (request, take) => take({ operation, body: read(request as Request), stepsInRequest }) };
}

function asItIs<Request>(request: Request): Request {
  return request;
}
