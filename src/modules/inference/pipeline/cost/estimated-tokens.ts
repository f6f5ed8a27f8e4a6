import type { PreparedRequest } from '../request/prepared-request.js';

/** The bytes of text that are charged as one token where a provider reported nothing. */
const BYTES_PER_TOKEN = 4;

/** The tokens that are charged for texts that a provider has not counted. @param bytes as {@link countedBytes} says them */
export function estimatedTokens(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/**
 * The bytes of UTF-8 that a text counts as where a provider has not counted its tokens. Those beyond one a character count half as
 * much again: a character of Chinese or Japanese, of three bytes, has about one token.
 */
export function countedBytes(text: string): number {
  const bytes = Buffer.byteLength(text);
  return bytes + (bytes - text.length) / 2;
}

/** The tokens that a prompt counts as where no provider counts them: of its texts, and of its images, recordings and files. */
export function estimatedPrompt({ promptBytes, size }: Pick<PreparedRequest<unknown>, 'promptBytes' | 'size'>): number {
  return estimatedTokens(promptBytes()) + size().mediaTokens;
}
