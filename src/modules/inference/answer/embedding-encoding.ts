import type { Embedding } from '../../providers/embeddings.js';
import { ProviderError } from '../../providers/provider-error.js';

/** The bytes of a 32-bit float. */
const FLOAT_BYTES = 4;

/**
 * The vector of an embedding in the form that the caller asked for, whichever form the provider chose: numbers, or base64 of
 * little-endian 32-bit floats (docs/interface/inference.md#embeddings).
 *
 * @throws ProviderError for base64 that holds no numbers
 */
export function vectorOf({ embedding }: Embedding, format: 'float' | 'base64'): readonly number[] | string {
  if (typeof embedding === 'string') return format === 'base64' ? embedding : numbersOf(embedding);
  return format === 'float' ? embedding : base64Of(embedding);
}

function base64Of(numbers: readonly number[]): string {
  const bytes = Buffer.alloc(numbers.length * FLOAT_BYTES);
  numbers.forEach((number, index) => bytes.writeFloatLE(number, index * FLOAT_BYTES));
  return bytes.toString('base64');
}

function numbersOf(text: string): number[] {
  const bytes = Buffer.from(text, 'base64');
  const numbers = Array.from({ length: Math.floor(bytes.length / FLOAT_BYTES) }, (_, index) =>
    bytes.readFloatLE(index * FLOAT_BYTES),
  );
  if (numbers.length === 0 || bytes.length % FLOAT_BYTES !== 0 || !numbers.every(Number.isFinite)) {
    throw new ProviderError('invalid', 'The provider’s answer has an embedding that is no base64 of numbers.');
  }
  return numbers;
}
