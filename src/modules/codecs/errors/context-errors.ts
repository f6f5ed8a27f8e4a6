/*
 * Providers say in many words that a conversation does not fit the context of a model, and few have a code for it. Clients shorten
 * their conversation when they are told so, and can do nothing with other refusals, so that the words are recognized.
 */

/** How much of a message is looked at, in UTF-16 code units. */
const LOOKED_AT = 2_000;

/** The codes and types of providers for a prompt that does not fit, in lower case. */
const CODES: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'model_context_window_exceeded',
  'contextwindowexceedederror',
  'exceed_context_size_error',
  'max_context_length_exceeded',
  'model_max_prompt_tokens_exceeded',
  'prompt_too_long',
  'input_too_long',
  'tokens_limit_reached',
]);

/** What is about how often a provider may be asked, or about the length of the answer alone, though it speaks of tokens. */
const OTHERWISE = [
  /\bper[ -]?(second|minute|hour|day)\b/i,
  /\b[rt]p[md]\b/i,
  /maximum allowed number of output tokens/i,
  /max_(completion_|output_)?tokens`? (value|must be|should be|cannot)/i,
  /range of max_(completion_|output_)?tokens/i,
] as const;

/** A size that a prompt is compared with. */
const CONTEXT = String.raw`\b(model'?s? )?(context|prompt)[ _-]?(length|size|window|limit)\b`;

const WORDINGS = [
  // OpenAI and those who copy it, vLLM, DeepSeek, Mistral, xAI.
  /maximum (context|prompt|model) (length|size|window)/i,
  /reduce the length of (the|your) (input |prompt |)?(messages?|prompts?|inputs?)/i,
  /input tokens? exceeds? the configured limit/i,
  // Anthropic, Fireworks, Bedrock, Hugging Face, Ollama.
  /\b(prompt|input|conversation) (is |are )?too (long|large)\b/i,
  /\bexceeds? context limit/i,
  // A sentence that compares something with the context, in either order: LM Studio, llama.cpp, MiniMax, Ollama, Kimi, SGLang.
  new RegExp(String.raw`${CONTEXT}[^.]{0,60}\b(exceed|overflow|full\b|not enough)`, 'i'),
  new RegExp(
    String.raw`\b(exceed\w*|longer than|larger than|greater than|too (long|large|many)|overflows?|more than|outside|beyond)\b[^.]{0,80}${CONTEXT}`,
    'i',
  ),
  /\bcontext (size|window|length)? ?(has been |was |is )?(exceeded|overflow)/i,
  /\bcontext the overflows\b/i,
  /exceeded model token limit/i,
  // Tokens of the prompt that are too many: Gemini, Nova, Databricks, watsonx, Cohere, GitHub.
  /\b(input|prompt) (token|tokens|token count)\b[^.]{0,60}\b(exceeds?|cannot exceed|is more than|but (the )?model only)\b/i,
  /\binput tokens exceeded\b/i,
  /\btokens in the (prompt|input) cannot exceed\b/i,
  /\btoo many tokens: (total|size)\b/i,
  /\bbody too large for \S{1,100} model\b[^.]{0,20}\.? max size: \d+ tokens/i,
  /\bmax allowed tokens per (submitted )?batch\b/i,
  // The Hugging Face servers: "`inputs` must have less than 1024 tokens", "`inputs` tokens + `max_new_tokens` must be <= 4096".
  /`?inputs`?( tokens?)? (\+ `?max_new_tokens`? )?must (be <=|have less than) \d+/i,
  // Qwen, GLM, Doubao, NIM, TensorRT.
  /range of input length should be/i,
  /\b(prompt|input|sequence)( length)?( \(?\d+\)?)? (exceeds?|exceeded|is longer than)\b[^.]{0,60}\b(max|length|limit)/i,
  /exceed max message tokens/i,
  /\b(decoder )?prompt( \(length \d+\))? is longer than\b/i,
  /\bexceed\w*[^.]{0,40}\b(max_model_len|max_seq_len|max_num_tokens)\b/i,
  // Servers of embeddings.
  /\binput (\(\d+ tokens\) )?is too large to process\b/i,
] as const;

/**
 * Whether a provider's refusal says that the prompt is too long for the context of the model.
 *
 * @param message of the provider
 * @param code its own word for the error; null for none
 */
export function isContextError(message: string, code: string | null = null): boolean {
  if (code !== null && CODES.has(code.toLowerCase())) return true;
  const text = message.slice(0, LOOKED_AT);
  if (!OTHERWISE.some((wording) => wording.test(text))) return WORDINGS.some((wording) => wording.test(text));
  // vLLM and Anthropic say so of prompt and answer together.
  return /maximum context length|exceed context limit/i.test(text) && !/\bper[ -]?(minute|day)\b/i.test(text);
}
