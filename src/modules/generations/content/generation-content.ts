/** What a request has sent upstream: what was redacted is not in it. */
export type ContentInput = { readonly messages: readonly unknown[] } | { readonly prompt: string };

/** What came back, as far as it was delivered. */
export interface ContentOutput {
  readonly completion: string | null;
  readonly reasoning: string | null;
}

/** The error if the answer is missing or incomplete. */
export interface ContentError {
  readonly status: number;
  /** The message as the caller was told it. */
  readonly message: string;
}

/** The content of a request and of its answer, where the workspace has it logged (docs/interface/generations.md#content). */
export interface GenerationContent {
  readonly input: ContentInput;
  readonly output: ContentOutput;
  /** Null for a complete answer. */
  readonly error: ContentError | null;
}

/** The largest input that is kept, and the largest text of an output, in bytes of UTF-8. */
export const MAXIMUM_CONTENT_BYTES = 1_048_576;

/**
 * An input that is not too large: of messages the latest that fit together, of a prompt its beginning.
 *
 * @param maximum bytes of the messages as JSON, or of the prompt
 */
export function boundedInput(input: ContentInput, maximum = MAXIMUM_CONTENT_BYTES): ContentInput {
  if ('prompt' in input) return { prompt: boundedText(input.prompt, maximum) };
  let left = maximum;
  let first = input.messages.length;
  while (first > 0) {
    left -= Buffer.byteLength(JSON.stringify(input.messages[first - 1]));
    if (left < 0) break;
    first -= 1;
  }
  return { messages: input.messages.slice(first) };
}

/** The beginning of a text, without half a character at its end. @param maximum bytes of UTF-8 */
export function boundedText(text: string, maximum = MAXIMUM_CONTENT_BYTES): string {
  // No character of a text takes more than three bytes for each of its code units.
  if (text.length * 3 <= maximum) return text;
  // Every code unit takes at least one byte, so nothing after this many is kept.
  const bytes = Buffer.from(text.slice(0, maximum + 1));
  if (bytes.length <= maximum) return text;
  let end = maximum;
  while ((bytes[end]! & 0b1100_0000) === 0b1000_0000) end -= 1;
  return bytes.toString('utf8', 0, end);
}
