import type { Embedding } from '../../../codecs/chat/embeddings.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';

/** The bytes of a 32-bit float. */
const FLOAT_BYTES = 4;

/** The bytes of one in base64. */
const BASE64_BYTES_PER_NUMBER = 16 / 3;

/** The bytes of a number in a list. */
const NUMBER_BYTES = 8;

/**
 * The vector of an embedding in the form that the caller asked for, whichever form the provider chose: numbers, or base64 of
 * little-endian 32-bit floats (docs/interface/inference.md#embeddings).
 *
 * @throws ProviderError for a text that is not base64 of numbers
 */
export function vectorOf({ embedding }: Embedding, format: 'float' | 'base64'): readonly number[] | string {
  if (typeof embedding !== 'string') return format === 'float' ? embedding : base64Of(embedding);
  if (!isBase64OfNumbers(embedding)) throw noNumbers();
  return format === 'base64' ? embedding : numbersOf(embedding);
}

/** The estimated bytes of the heap that the vector takes in the form that the caller asked for, besides what the provider has sent. */
export function vectorSize({ embedding }: Embedding, format: 'float' | 'base64'): number {
  if (typeof embedding !== 'string') return format === 'float' ? 0 : embedding.length * BASE64_BYTES_PER_NUMBER;
  return format === 'base64' ? 0 : (embedding.length / BASE64_BYTES_PER_NUMBER) * NUMBER_BYTES;
}

/** Whether a text is base64 of whole numbers. Which they are is not looked at, because that takes many times as long. */
function isBase64OfNumbers(text: string): boolean {
  const length = Buffer.byteLength(text, 'base64');
  return length > 0 && length % FLOAT_BYTES === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

function noNumbers(): ProviderError {
  return new ProviderError('invalid', 'The provider’s answer has an embedding that is no base64 of numbers.');
}

function base64Of(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * FLOAT_BYTES);
  numbers.forEach((number, index) => bytes.writeFloatLE(number, index * FLOAT_BYTES));
  return bytes.toString('base64');
}

function numbersOf(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  const numbers = Array.from({ length: bytes.length / FLOAT_BYTES }, (_, index) =>
    bytes.readFloatLE(index * FLOAT_BYTES),
  );
  if (!numbers.every(Number.isFinite)) throw noNumbers();
  return numbers;
}
