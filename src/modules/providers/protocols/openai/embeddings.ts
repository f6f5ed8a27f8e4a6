import type { Embedding, EmbeddingList, EmbeddingRequest } from '../../embeddings.js';
import { countOf, listOf, objectOf, wordOf } from '../../json-values.js';
import { ProviderError } from '../../provider-error.js';

/** How many embeddings a request asks for: a list of numbers is one input, whose tokens they are. */
export function inputCount({ input }: EmbeddingRequest): number {
  return Array.isArray(input) && typeof input[0] !== 'number' ? input.length : 1;
}

/**
 * Reads the embeddings of a request.
 *
 * @param document parsed JSON
 * @param count how many there have to be
 * @throws ProviderError unless there is one for each input
 */
export function embeddingsOf(document: unknown, count: number): EmbeddingList {
  const answer = objectOf(document);
  const data = listOf(answer?.['data']).map(embeddingOf);
  data.sort((one, other) => one.index - other.index);
  if (data.length !== count || data.some(({ index }, place) => index !== place)) {
    throw new ProviderError('invalid', 'The provider’s answer does not have one embedding for each input.');
  }
  const usage = objectOf(answer?.['usage']);
  const prompt = countOf(usage?.['prompt_tokens']) ?? countOf(usage?.['total_tokens']);
  return {
    upstreamId: wordOf(answer?.['id']) ?? null,
    data,
    usage:
      prompt === undefined
        ? null
        : { prompt_tokens: prompt, total_tokens: Math.max(prompt, countOf(usage?.['total_tokens']) ?? 0) },
  };
}

function embeddingOf(value: unknown, place: number): Embedding {
  const item = objectOf(value);
  const embedding = item?.['embedding'];
  if (typeof embedding !== 'string' && !isNumbers(embedding)) {
    throw new ProviderError('invalid', 'The provider’s answer has an embedding that is neither numbers nor text.');
  }
  return { index: typeof item?.['index'] === 'number' ? item['index'] : place, embedding };
}

function isNumbers(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((number) => typeof number === 'number');
}
