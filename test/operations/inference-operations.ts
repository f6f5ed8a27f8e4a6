import { INFERENCE } from './inference.js';

/** What the tests of all operations know of an operation of inference, beside its row. */
interface InferenceOperation {
  /** The schema of its refusals, which is that of the clients of its form (docs/interface/inference.md#refusals). */
  readonly failure: 'ChatErrorResponse' | 'MessagesErrorResponse' | 'ResponsesErrorResponse';
  /** How large a form may be, in MiB, where it takes one. */
  readonly formLimitMib?: number;
  /** Whether its answers can be kept in the response cache. */
  readonly isCached?: true;
}

/** What differs from an operation with the failures of OpenAI whose answers are not kept. */
const PARTICULARS: Readonly<Record<string, Partial<InferenceOperation>>> = {
  countMessageTokens: { failure: 'MessagesErrorResponse' },
  createAudioTranscriptions: { formLimitMib: 26 },
  createCohereRerank: { isCached: true },
  createCompletions: { isCached: true },
  createEmbeddings: { isCached: true },
  createImageEdits: { formLimitMib: 50 },
  createMessages: { failure: 'MessagesErrorResponse', isCached: true },
  createRerank: { isCached: true },
  createResponses: { failure: 'ResponsesErrorResponse', isCached: true },
  sendChatCompletionRequest: { isCached: true },
};

/**
 * The operations of inference by their ids: those that keys of inference alone may call. They take bodies of 20 MiB with whatever fields a
 * model takes, no Idempotency-Key, and name the issues of a 400 in its message.
 */
export const INFERENCE_OPERATIONS: Readonly<Record<string, InferenceOperation>> = Object.fromEntries(
  Object.entries(INFERENCE)
    .filter(([, { callers }]) => callers.every((caller) => caller === 'api_key'))
    .map(([id]) => [id, { failure: 'ChatErrorResponse', ...PARTICULARS[id] }]),
);

/** Their ids. */
export const INFERENCE_OPERATION_IDS = Object.keys(INFERENCE_OPERATIONS);

/** Operations that make a preset of a request for inference. */
export const PRESETS_OF_REQUESTS = [
  'createPresetsChatCompletions',
  'createPresetsMessages',
  'createPresetsResponses',
] as const;
