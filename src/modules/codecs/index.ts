export { messagesErrorEnvelope } from './anthropic-messages/answer-encoder.js';
export {
  type BlockContent,
  chatRequestOfMessages,
  chatSettingsOfMessages,
  isCallable,
  isRunByClient,
  type MessageParam,
  type MessagesRequest,
  type MessagesSettings,
} from './anthropic-messages/request-decoder.js';
export { MESSAGES_ENCODER } from './anthropic-messages/stream-encoder.js';
export { withKnownFields } from './capabilities/body-fields.js';
export { TranslatedToolNames } from './capabilities/tool-names.js';
export {
  capabilitiesOfCandidate,
  isBodyFieldTaken,
  translatedRequest,
  type TranslatedRequest,
} from './capabilities/translated-request.js';
export { carriedJson, parsedReasoningDetails } from './chat/carried-reasoning.js';
export {
  type AssistantMessage,
  type ChatChoice,
  type ChatChunk,
  type ChatChunkChoice,
  type ChatCompletion,
  type ChatDelta,
  type ChatMessage,
  type ChatRequest,
  type ContentPart,
  type CountedUsage,
  FINISH_REASONS,
  type FinishReason,
  type FunctionTool,
  isInstructing,
  type Reasoning,
  type TokenUsage,
  type ToolCall,
  type ToolCallDelta,
  type ToolChoice,
} from './chat/chat-completion.js';
export { CHOICE_FIELDS, choicesOf, MAXIMUM_CHOICES } from './chat/choice-count.js';
export { hasAnswerPart } from './chat/chunk-content.js';
export { type ClientChatRequest, type ProviderPreferences, type Sort, SORTS } from './chat/client-request.js';
export { deliveredBytes } from './chat/delivered-bytes.js';
export { DOCUMENT_BOUNDS, parsableWeight } from './chat/document-extent.js';
export { type Embedding, type EmbeddingList, type EmbeddingRequest, inputsOf } from './chat/embeddings.js';
export { type JsonObject, listOf, nonEmptyText, objectOf, parsed } from './chat/json-values.js';
export { withLaterUsage } from './chat/later-usage.js';
export { isUrl, URL_MESSAGE } from './chat/media-addresses.js';
export {
  KEPT_BLOCK,
  MESSAGES_FIELDS,
  messagesFieldsOf,
  withMessagesFields,
  type WithMessagesFields,
  withoutFields,
  cacheWritesOf,
} from './chat/messages-fields.js';
export { withinWork } from './chat/answer-work.js';
export { imageHeadOf } from './chat/image-head.js';
export { mediaAddressesIn, withMediaEmbedded } from './chat/media-addresses.js';
export { pixelsOf, type PixelSize, ratioOf, sideOf, tierOf, TIERS } from './chat/image-size.js';
export {
  IMAGE_ATTRIBUTES,
  type ImageAttributes,
  type ImagePart,
  type ImageRequest,
  type SentImage,
  type SentImages,
} from './chat/images.js';
export { KNOWN_MODEL } from './chat/known-model.js';
export { leadOf } from './chat/named-text.js';
export { mayHavePrototypeField, removePrototypeFields } from './chat/prototype-fields.js';
export { mayHaveOpaqueThoughts, withOpaqueThoughts } from './chat/opaque-thoughts.js';
export { promptResultsWithoutTexts, ProviderFilters } from './chat/provider-filters.js';
export type { RankedDocuments, RerankRequest } from './chat/rerank.js';
export { type RequestAdjustment, RequestAdjustments } from './chat/request-adjustments.js';
export { isThoughtSignature } from './chat/thought-signatures.js';
export { recordingLength, type RecordingLength } from './audio/recording-length.js';
export type { SpeechRequest, SpokenAudio } from './chat/speech.js';
export {
  type Transcription,
  type TranscriptionFormat,
  type TranscriptionRequest,
  TRANSCRIPTION_FORMATS,
} from './chat/transcription.js';
export { newToolCallId } from './chat/tool-call-ids.js';
export {
  type AnswerEncoder,
  type AnswerOrigin,
  type AnswerUsage,
  DONE,
  type StreamEncoder,
  type StreamEvent,
} from './client-codec.js';
export { amazonClassOf, statusOfAmazonClass } from './errors/amazon-errors.js';
export { providerErrorOf, refusal } from './errors/error-object.js';
export { ProviderError, type ProviderErrorKind, readingFailure, withCounted } from './errors/provider-error.js';
export { refusalTypeOf } from './errors/refusal-type.js';
export { retryAfterOf } from './errors/retry-after.js';
export { withoutSecrets } from './errors/secret-parts.js';
export { brokenAnswerErrorOf, MASKED_FAILURE, shownErrorOf } from './errors/shown-error.js';
export { isMissingThoughtError, isThoughtError } from './errors/thought-errors.js';
export { MultipartForm } from './multipart-form.js';
export { CHAT_ENCODER, chatErrorEnvelope } from './openai-chat/answer-encoder.js';
export { completionsEncoder } from './openai-completions/answer-encoder.js';
export { chatRequestOfCompletions, type CompletionRequest } from './openai-completions/request-decoder.js';
export { responsesErrorEnvelope } from './openai-responses/answer-encoder.js';
export {
  hasTools,
  INPUT_ITEM_TYPES,
  type InputItem,
  isPartOfAssistant,
  type ResponsesRequest,
  type ResponsesSettings,
} from './openai-responses/client-request.js';
export {
  agentMessageOf,
  AgentItems,
  isCiphertext,
  chatRequestOfResponses,
  chatSettingsOfResponses,
  type ItemFate,
  messagesOfInput,
} from './openai-responses/request-decoder.js';
export { responsesEncoder } from './openai-responses/stream-encoder.js';
export {
  isRunByCaller,
  isWebSearch,
  offeredNameOf,
  type ResponsesTool,
  type ResponsesToolChoice,
  TOOL_SEARCH,
} from './openai-responses/tools.js';
export { brokenOff } from './event-document.js';
export type { PartOf, RequestOf, WholeOf } from './provider-operations.js';
export type {
  AnswerHead,
  CodecOperation,
  CodecOperations,
  EncodedRequest,
  ServerSentEvent,
  StreamDecoder,
  Upstream,
  UpstreamCodec,
  UpstreamTimeouts,
} from './upstream-codec.js';
export { codecAt, CODECS, type UpstreamDialect } from './upstream-codecs.js';
