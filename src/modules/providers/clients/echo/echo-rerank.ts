import type { LongWork } from '../../../../concurrency/long-work.js';
import type { RankedDocuments, RerankRequest } from '../../../codecs/chat/rerank.js';
import { BYTES_PER_TOKEN } from './echo.js';

/** Scores have so many decimals, so that answers are short. */
const DECIMALS = 6;

/** A word of a text; a very long one counts as several. */
const WORD = /\S{1,256}/g;

/**
 * The ranking of the builtin provider: the share of the words of the query that a document has, in lower case (docs/providers.md#echo).
 *
 * @param work lets others use the event loop meanwhile
 */
export async function echoRanking(
  { query, documents, top_n: most }: RerankRequest,
  work: LongWork,
): Promise<RankedDocuments> {
  const asked = new Set<string>();
  for (const [word] of query.matchAll(WORD)) asked.add(word.toLowerCase());
  const results: RankedDocuments['results'][number][] = [];
  let bytes = Buffer.byteLength(query) * documents.length;
  for (const [index, document] of documents.entries()) {
    const text = textOf(document);
    bytes += Buffer.byteLength(text);
    const shared = await sharedWords(text, asked, work);
    results.push({ index, relevanceScore: Number((shared / Math.max(asked.size, 1)).toFixed(DECIMALS)) });
  }
  results.sort((one, other) => other.relevanceScore - one.relevanceScore);
  return {
    upstreamId: null,
    results: results.slice(0, most ?? results.length),
    totalTokens: Math.ceil(bytes / BYTES_PER_TOKEN),
    searchUnits: null,
  };
}

async function sharedWords(text: string, words: ReadonlySet<string>, work: LongWork): Promise<number> {
  const found = new Set<string>();
  if (work.mustRest) await work.rest();
  for (const [written] of text.matchAll(WORD)) {
    if (work.mustRest) await work.rest();
    const word = written.toLowerCase();
    if (words.has(word)) found.add(word);
  }
  return found.size;
}

function textOf(document: unknown): string {
  if (typeof document === 'string') return document;
  return (document as { readonly text?: string }).text ?? '';
}
