import type { Decision } from '../request/decision.js';
import type { ArrivedRequest } from '../request/inference-request.js';
import type { InferenceOperation, RoutedBody } from '../request/operation.js';

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

interface MeasuredRequest<Body extends RoutedBody> {
  readonly operation: Pick<InferenceOperation<Body>, 'promptBytesOf' | 'sizeOf'>;
  readonly request: Pick<ArrivedRequest, 'bodyBytes'>;
  readonly decision: Pick<Decision<Body>, 'inspected'>;
}

/** The tokens that a prompt counts as where no provider counts them: of its texts, and of its images, recordings and files. */
export function estimatedPrompt<Body extends RoutedBody>({
  operation,
  request,
  decision: { inspected },
}: MeasuredRequest<Body>): number {
  const bytes = promptBytesOf(operation, inspected!, request.bodyBytes);
  const { mediaTokens = 0, likelyMediaTokens = mediaTokens } = operation.sizeOf(inspected!);
  return estimatedTokens(bytes) + likelyMediaTokens;
}

/**
 * The bytes of what was sent as text. An answer that was delivered is charged and recorded in any case, so a body of a form in which
 * nothing can be counted has as many bytes as it came with.
 */
function promptBytesOf<Body extends RoutedBody>(
  operation: Pick<InferenceOperation<Body>, 'promptBytesOf'>,
  body: Body,
  bodyBytes: number,
): number {
  try {
    return operation.promptBytesOf(body);
  } catch {
    return bodyBytes;
  }
}
