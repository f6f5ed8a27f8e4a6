import { createHash } from 'node:crypto';
import type { AnswerMemory } from '../../../../http/input/request-memory.js';
import type { LongWork } from '../../../../concurrency/long-work.js';
import {
  type Embedding,
  type EmbeddingList,
  type EmbeddingRequest,
  inputsOf,
} from '../../../codecs/chat/embeddings.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import { BYTES_PER_TOKEN } from './echo.js';

/** The length of vectors where a request says nothing, and at most. */
const DEFAULT_DIMENSIONS = 256;
const MAXIMUM_DIMENSIONS = 1_024;

/** The maximum number of numbers of an answer: those of the longest list of inputs with the default dimensions. */
const MAXIMUM_NUMBERS = 2_048 * DEFAULT_DIMENSIONS;

/** The bytes of a number in a list and in the answer, and of what is around the numbers of one vector in both. */
const NUMBER_BYTES = 8;
const NUMBER_LENGTH = 10;
const VECTOR_BYTES = 512;

/** Numbers have so many decimals, so that answers are short. */
const DECIMALS = 6;

/**
 * The embeddings of the builtin provider: each word of an input, in lower case, adds or takes one at a place that its SHA-256
 * names, and the vector is brought to the length one. So inputs that share words are near each other, and the same input has
 * the same embedding wherever it is asked for (docs/providers.md#echo).
 *
 * @param request the inputs, and the length of their vectors
 * @param work lets others use the event loop meanwhile
 * @param memory holds the vectors before they are made
 * @throws ProviderError for vectors that are too long
 * @throws TooMuchInferenceMemory where there is no room for them
 */
export async function echoEmbeddings(
  { input, dimensions }: EmbeddingRequest,
  work: LongWork,
  memory: AnswerMemory,
): Promise<EmbeddingList> {
  const inputs = inputsOf(input);
  const length = dimensions ?? DEFAULT_DIMENSIONS;
  if (length > MAXIMUM_DIMENSIONS || length * inputs.length > MAXIMUM_NUMBERS) {
    const bound = `at most ${MAXIMUM_DIMENSIONS} dimensions, and ${MAXIMUM_NUMBERS} numbers in all`;
    throw new ProviderError('refused', `The echo provider makes vectors of ${bound}.`, { status: 400 });
  }
  // Nothing has been answered yet, so that nothing waits for memory either.
  const numbers = length * inputs.length;
  memory.reserve(numbers * (NUMBER_BYTES + NUMBER_LENGTH) + inputs.length * VECTOR_BYTES);
  await memory.hold(numbers * NUMBER_BYTES);
  const tokens = inputs.reduce<number>((sum, one) => sum + tokensOf(one), 0);
  const data: Embedding[] = [];
  for (const [index, one] of inputs.entries()) data.push({ index, embedding: await vectorOf(one, length, work) });
  return {
    upstreamId: null,
    data,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

async function vectorOf(input: unknown, length: number, work: LongWork): Promise<number[]> {
  const sums = Array.from<number>({ length }).fill(0);
  for (const word of wordsOf(input)) {
    if (work.mustRest) await work.rest();
    const hash = createHash('sha256').update(word).digest();
    sums[hash.readUInt32LE(0) % length]! += hash[4]! % 2 === 0 ? 1 : -1;
  }
  // Words can cancel each other out, and a vector of nothing but zeros has no direction.
  if (!sums.some((sum) => sum !== 0)) sums[0] = 1;
  const size = Math.hypot(...sums);
  return sums.map((sum) => Number((sum / size).toFixed(DECIMALS)));
}

function tokensOf(input: unknown): number {
  return Array.isArray(input) ? input.length : Math.ceil(Buffer.byteLength(inputText(input)) / BYTES_PER_TOKEN);
}

/** The words of a text, or its tokens, one at a time. */
function* wordsOf(input: unknown): Generator<string, void, undefined> {
  if (Array.isArray(input)) for (const token of input) yield `token ${token}`;
  else for (const [word] of inputText(input).toLowerCase().matchAll(/\S+/g)) yield word;
}

/** A text, or those of the parts of an input. */
function inputText(input: unknown): string {
  if (typeof input === 'string') return input;
  const { content } = input as { readonly content: readonly { readonly text?: string }[] };
  return content.map(({ text }) => text ?? '').join(' ');
}
