/*
 * Providers refuse thoughts of earlier turns that they have not made, or no longer know, in words of their own; only OpenAI and who
 * copies it have a code for it.
 */

/** How much of a message is looked at, in UTF-16 code units. */
const LOOKED_AT = 2_000;

/** OpenAI's word for an `encrypted_content` that it cannot read. */
const CODE = 'invalid_encrypted_content';

const WORDINGS = [
  // OpenAI, Azure, and servers between that lose the code.
  /encrypted[_ ]content\b[^]{0,200}\bcould not be (verified|decrypted)/i,
  // xAI, also of what it calls a compaction.
  /could not (decrypt|decode) the (provided encrypted_content|compaction blob)/i,
  // Anthropic, also behind Bedrock and Vertex AI.
  /\binvalid [`'"]?(signature|data)[`'"]? in [`'"]?(redacted_)?thinking/i,
  /\bthinking\.signature\b/i,
  /thinking[`'"]? blocks in the latest assistant message cannot be modified/i,
  // Google.
  /\b(corrupted|invalid) thought[_ ]?signature/i,
  /\bthought[_ ]?signature is (not valid|invalid)/i,
] as const;

/** What is demanded of a turn that calls tools while the model is to think. */
const DEMANDING = [
  // Anthropic, also behind others.
  /\bexpected [`'"]?thinking\b[^]{0,40}\bbut found\b/i,
  /\bmust start with a thinking block\b/i,
  // DeepSeek and Moonshot.
  /\breasoning_content\b[^.]{0,80}\b(must be passed back|is missing)\b/i,
] as const;

/**
 * Whether a provider's refusal says that its model cannot think behind a turn without the thoughts that it had.
 *
 * @param message of the provider
 */
export function isMissingThoughtError(message: string): boolean {
  const text = message.slice(0, LOOKED_AT);
  return DEMANDING.some((wording) => wording.test(text));
}

/**
 * Whether a provider's refusal says that it does not take the thoughts of earlier turns that it was handed back.
 *
 * @param message of the provider
 * @param code its own word for the error; null for none
 */
export function isThoughtError(message: string, code: string | null = null): boolean {
  if (code?.toLowerCase() === CODE) return true;
  const text = message.slice(0, LOOKED_AT);
  return text.includes(CODE) || WORDINGS.some((wording) => wording.test(text));
}
