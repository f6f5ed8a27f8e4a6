import { OPERATION_OUTPUTS } from '../../telemetry/operations.js';

/** Input modalities of models (`InputModality` of the public interface). */
export const INPUT_MODALITIES = ['text', 'image', 'file', 'audio', 'video'] as const;

/** Output modalities of models (`OutputModality` of the public interface), and those of further operations. */
export const OUTPUT_MODALITIES: readonly string[] = [
  ...new Set([
    ...['text', 'image', 'embeddings', 'audio', 'video', 'rerank', 'decisions', 'speech', 'transcription'],
    ...OPERATION_OUTPUTS,
  ]),
];

/** Families of tokenizers (`ModelGroup` of the public interface). */
export const TOKENIZERS = [
  'Router',
  'Media',
  'Other',
  'GPT',
  'Claude',
  'Gemini',
  'Gemma',
  'Grok',
  'Cohere',
  'Nova',
  'Qwen',
  'Yi',
  'DeepSeek',
  'Mistral',
  'Llama2',
  'Llama3',
  'Llama4',
  'PaLM',
  'RWKV',
  'Qwen3',
] as const;

/** Formats of instructions (`InstructType` of the public interface). */
export const INSTRUCT_TYPES = [
  'none',
  'airoboros',
  'alpaca',
  'alpaca-modif',
  'chatml',
  'claude',
  'code-llama',
  'gemma',
  'llama2',
  'llama3',
  'mistral',
  'nemotron',
  'neural',
  'openchat',
  'phi3',
  'rwkv',
  'vicuna',
  'zephyr',
  'deepseek-r1',
  'deepseek-v3.1',
  'qwq',
  'qwen3',
] as const;

/** Reasoning efforts (`ReasoningEffort` of the public interface). */
export const REASONING_EFFORTS = ['max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'] as const;

/** Parameters of inference requests (`Parameter` of the public interface). */
export const SUPPORTED_PARAMETERS = [
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'top_a',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'max_tokens',
  'max_completion_tokens',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'prediction',
  'seed',
  'response_format',
  'structured_outputs',
  'stop',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'include_reasoning',
  'reasoning',
  'reasoning_effort',
  'web_search_options',
  'verbosity',
] as const;

/** Quantizations of weights (`Quantization` of the public interface). */
export const QUANTIZATIONS = [
  'int4',
  'int8',
  'fp4',
  'mxfp4',
  'nvfp4',
  'fp6',
  'fp8',
  'mxfp8',
  'fp16',
  'bf16',
  'fp32',
  'unknown',
] as const;

/** The status of an endpoint (`EndpointStatus` of the public interface): 0 is normal, negative values are worse. */
export const ENDPOINT_STATUSES = [0, -1, -2, -3, -5, -10] as const;

/** Categories of use (`categories` of the public interface). */
export const CATEGORIES = [
  'programming',
  'roleplay',
  'marketing',
  'marketing/seo',
  'technology',
  'science',
  'translation',
  'legal',
  'finance',
  'health',
  'trivia',
  'academia',
] as const;

/** The sort orders of lists of models (as in the public interface). */
export const MODEL_ORDERS = [
  'most-popular',
  'newest',
  'top-weekly',
  'pricing-low-to-high',
  'pricing-high-to-low',
  'context-high-to-low',
  'throughput-high-to-low',
  'latency-low-to-high',
  'intelligence-high-to-low',
  'coding-high-to-low',
  'agentic-high-to-low',
  'design-arena-elo-high-to-low',
] as const;

/** A sort order of a list of models. */
export type ModelOrder = (typeof MODEL_ORDERS)[number];
