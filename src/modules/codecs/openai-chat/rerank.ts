import type { RankedDocument, RankedDocuments, RerankRequest } from '../chat/rerank.js';
import { countOf, listOf, objectOf, wordOf } from '../chat/json-values.js';
import { ProviderError } from '../errors/provider-error.js';

/**
 * Reads how documents were ranked, in the form of Cohere or in that of servers that answer with a list alone.
 *
 * @throws ProviderError for an answer that ranks a document twice, or one that there is not
 */
export function rankedDocumentsOf(document: unknown, { documents, top_n: most }: RerankRequest): RankedDocuments {
  const answer = objectOf(document);
  const list = Array.isArray(document) ? document : listOf(answer?.['results'] ?? answer?.['data']);
  const results = list.map(rankedDocumentOf);
  const places = new Set(results.map(({ index }) => index));
  const isWithin = results.every(({ index }) => index < documents.length);
  if (results.length === 0 || places.size < results.length || !isWithin) {
    throw new ProviderError('invalid', 'The provider’s answer does not rank the documents of the request.');
  }
  const billed = objectOf(objectOf(answer?.['meta'])?.['billed_units']);
  return {
    upstreamId: wordOf(answer?.['id']) ?? null,
    results: results.sort((one, other) => other.relevanceScore - one.relevanceScore).slice(0, most ?? results.length),
    totalTokens: countOf(objectOf(answer?.['usage'])?.['total_tokens']) ?? null,
    searchUnits: countOf(billed?.['search_units']) ?? null,
  };
}

function rankedDocumentOf(value: unknown): RankedDocument {
  const result = objectOf(value);
  const index = countOf(result?.['index']);
  const score = result?.['relevance_score'] ?? result?.['score'];
  if (index === undefined || typeof score !== 'number') {
    throw new ProviderError('invalid', 'The provider’s answer has a result without index and score.');
  }
  return { index, relevanceScore: score };
}
