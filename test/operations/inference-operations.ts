/** What the tests of all operations know of an operation of inference, beside its row. */
interface InferenceOperation {
  /** The schema of its refusals, which is that of the clients of its form (docs/interface/inference.md#refusals). */
  readonly failure: 'ChatErrorResponse' | 'MessagesErrorResponse' | 'ResponsesErrorResponse';
  /** How large a form may be, in MiB, where it takes one. */
  readonly formLimitMib?: number;
  /** Whether its answers can be kept in the response cache. */
  readonly isCached?: true;
}

/**
 * The operations of inference by their ids. They take bodies of 20 MiB with whatever fields a model takes, no Idempotency-Key, and name the
 * issues of a 400 in its message.
 */
export const INFERENCE_OPERATIONS: Readonly<Record<string, InferenceOperation>> = {
  countMessageTokens: { failure: 'MessagesErrorResponse' },
  createAudioSpeech: { failure: 'ChatErrorResponse' },
  createAudioTranscriptions: { failure: 'ChatErrorResponse', formLimitMib: 26 },
  createCohereRerank: { failure: 'ChatErrorResponse', isCached: true },
  createCompletions: { failure: 'ChatErrorResponse', isCached: true },
  createEmbeddings: { failure: 'ChatErrorResponse', isCached: true },
  createImageEdits: { failure: 'ChatErrorResponse', formLimitMib: 50 },
  createImageGenerations: { failure: 'ChatErrorResponse' },
  createImages: { failure: 'ChatErrorResponse' },
  createMessages: { failure: 'MessagesErrorResponse', isCached: true },
  createRerank: { failure: 'ChatErrorResponse', isCached: true },
  createResponses: { failure: 'ResponsesErrorResponse', isCached: true },
  sendChatCompletionRequest: { failure: 'ChatErrorResponse', isCached: true },
};

/** Their ids. */
export const INFERENCE_OPERATION_IDS = Object.keys(INFERENCE_OPERATIONS);

/** Operations that make a preset of a request for inference. */
export const PRESETS_OF_REQUESTS = [
  'createPresetsChatCompletions',
  'createPresetsMessages',
  'createPresetsResponses',
] as const;
