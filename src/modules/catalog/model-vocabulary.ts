/** Families of tokenizers (the contract's ModelGroup). */
export const TOKENIZERS = [
  'Router', 'Media', 'Other', 'GPT', 'Claude', 'Gemini', 'Gemma', 'Grok', 'Cohere', 'Nova', 'Qwen', 'Yi', 'DeepSeek',
  'Mistral', 'Llama2', 'Llama3', 'Llama4', 'PaLM', 'RWKV', 'Qwen3',
] as const;

/** Formats of instructions (the contract's InstructType). */
export const INSTRUCT_TYPES = [
  'none', 'airoboros', 'alpaca', 'alpaca-modif', 'chatml', 'claude', 'code-llama', 'gemma', 'llama2', 'llama3',
  'mistral', 'nemotron', 'neural', 'openchat', 'phi3', 'rwkv', 'vicuna', 'zephyr', 'deepseek-r1', 'deepseek-v3.1',
  'qwq', 'qwen3',
] as const;

/** How hard a model reasons (the contract's ReasoningEffort). */
export const REASONING_EFFORTS = ['max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'] as const;

/** Parameters of inference requests (the contract's Parameter). */
export const SUPPORTED_PARAMETERS = [
  'temperature', 'top_p', 'top_k', 'min_p', 'top_a', 'frequency_penalty', 'presence_penalty', 'repetition_penalty',
  'max_tokens', 'max_completion_tokens', 'logit_bias', 'logprobs', 'top_logprobs', 'prediction', 'seed',
  'response_format', 'structured_outputs', 'stop', 'tools', 'tool_choice', 'parallel_tool_calls', 'include_reasoning',
  'reasoning', 'reasoning_effort', 'web_search_options', 'verbosity',
] as const;
