import { type Embedding, EMBEDDED_TOKENS, type EmbeddingList, type EmbeddingUsage } from '../../embeddings.js';
import { countOf, listOf, objectOf, placeOf, wordOf } from '../../json-values.js';
import { ProviderError } from '../../provider-error.js';
import type { ProviderDocument } from '../../upstream/upstream-client.js';

/**
 * Reads the embeddings of a request.
 *
 * @param document of the provider
 * @param count how many there have to be
 * @throws ProviderError unless there is one for each input
 */
export async function embeddingsOf({ value, work }: ProviderDocument, count: number): Promise<EmbeddingList> {
  const answer = objectOf(value);
  const list = listOf(answer?.['data']);
  const data: Embedding[] = [];
  for (const [place, item] of list.length === count ? list.entries() : []) {
    if (work?.mustRest === true) await work.rest();
    data.push(embeddingOf(item, place));
  }
  if (data.length !== count) {
    throw new ProviderError('invalid', 'The provider’s answer does not have one embedding for each input.');
  }
  return { upstreamId: wordOf(answer?.['id']) ?? null, data: inOrder(data), usage: usageOf(answer?.['usage']) };
}

/**
 * Puts embeddings in the order of their inputs. Some servers count them from 1, and where they are not counted one by one, as by
 * servers that give all of them the same index, they stand in this order.
 */
function inOrder(data: readonly Embedding[]): readonly Embedding[] {
  const sorted = data.toSorted((one, other) => one.index - other.index);
  const areCounted = sorted.every(({ index }, place) => index === sorted[0]!.index + place);
  return (areCounted ? sorted : data).map(({ embedding }, index) => ({ index, embedding }));
}

function usageOf(value: unknown): EmbeddingUsage | null {
  const usage = objectOf(value);
  const prompt = countOf(usage?.['prompt_tokens']) ?? countOf(usage?.['total_tokens']);
  if (prompt === undefined) return null;
  const parts = objectOf(usage?.['prompt_tokens_details']);
  const details = EMBEDDED_TOKENS.flatMap((name) => {
    const count = countOf(parts?.[name]);
    return count === undefined ? [] : [[name, count] as const];
  });
  return {
    prompt_tokens: prompt,
    total_tokens: Math.max(prompt, countOf(usage?.['total_tokens']) ?? 0),
    ...(details.length > 0 && { prompt_tokens_details: Object.fromEntries(details) }),
  };
}

function embeddingOf(value: unknown, place: number): Embedding {
  const item = objectOf(value);
  const embedding = item?.['embedding'];
  if (typeof embedding !== 'string' && !isNumbers(embedding)) {
    throw new ProviderError('invalid', 'The provider’s answer has an embedding that is neither numbers nor text.');
  }
  return { index: placeOf(item?.['index'], place), embedding };
}

function isNumbers(value: unknown): value is readonly number[] {
  // JSON has numbers that no double can hold, and it has no infinite ones to hand on.
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);
}
