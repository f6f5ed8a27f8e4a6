import { isObject } from '../../../../http/validation/constraints.js';
import type { AnswerUsage } from '../../../codecs/client-codec.js';
import type { RankedDocuments, RerankRequest as UpstreamRerankRequest } from '../../../codecs/chat/rerank.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { EndpointNeeds } from '../../../routing/endpoint-exclusion.js';
import type { CountedResult } from '../../pipeline/answer/result-answer.service.js';
import { promptUsage } from '../../pipeline/attempts/provider-calls.js';
import { MAXIMUM_BYTES_PER_TOKEN } from '../../pipeline/candidates/endpoint-needs.js';
import { RequestTexts } from '../../pipeline/content/fields/request-texts.js';
import { hidesTextInEmbeddedParts } from '../../pipeline/content/hidden-text.js';
import { likelyUse } from '../../pipeline/cost/compared-price.js';
import { countedBytes, estimatedTokens } from '../../pipeline/cost/estimated-tokens.js';
import { mediaTokensOf } from '../../pipeline/cost/media-tokens.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import type { DocumentOperation } from '../document-operations.service.js';
import type { RequestSize } from '../../pipeline/request/request-size.js';
import { fieldsFor } from '../../pipeline/request/upstream-request.js';
import type { RankedInput, RerankRequest } from './dto/rerank-request.dto.js';
import type { RerankResponse } from './dto/rerank-response.dto.js';
import { DATA_OR_ADDRESS } from '../../pipeline/content/fields/addresses.js';
import {
  either,
  known,
  listOf,
  NUMBER_OR_BOOLEAN,
  objectWith,
  TEXT,
} from '../../pipeline/content/fields/field-readers.js';
import { requestWith } from '../../pipeline/content/fields/request-fields.js';

/** A document: a text, or an object with a text or an image. */
const RANKED_DOCUMENT = either(TEXT, objectWith(known({ text: TEXT, image: DATA_OR_ADDRESS })));

/** The fields of a request to rank documents. */
const RERANK_REQUEST = requestWith(
  known({
    query: TEXT,
    documents: listOf(RANKED_DOCUMENT),
    top_n: NUMBER_OR_BOOLEAN,
    max_tokens_per_doc: NUMBER_OR_BOOLEAN,
  }),
);

/** The documents that one search has at most, as providers count searches. */
const DOCUMENTS_OF_A_SEARCH = 100;

/** How many searches a request counts as where its provider does not say, and at most. @param documents how many it has */
export function searchUnitsOf(documents: number): number {
  return Math.ceil(documents / DOCUMENTS_OF_A_SEARCH);
}

const TEXTS = new RequestTexts<RerankRequest>(RERANK_REQUEST, 'input');

const TEXTS_OF_DOCUMENT = new RequestTexts<RankedInput>(RANKED_DOCUMENT, 'input');

interface Ranked extends CountedResult {
  readonly ranking: RankedDocuments['results'];
}

/** Ranking of documents by a query (docs/interface/rerank.md). */
export const RERANK: DocumentOperation<RerankRequest, 'rerank', Ranked, RerankResponse> = {
  name: 'rerank',
  absence: 'The protocol of the provider ranks no documents.',
  requestFor,
  reportOf: ({ totalTokens, upstreamId }) => ({
    upstreamId,
    usage: totalTokens === null ? null : promptUsage(totalTokens),
  }),
  resultOf: ({ upstreamId, results, totalTokens, searchUnits }, { decision: { sent: body } }) => ({
    upstreamId,
    usage: totalTokens === null ? null : { prompt_tokens: totalTokens, total_tokens: totalTokens },
    units: { request: searchUnits ?? searchUnitsOf(body.documents.length) },
    ranking: results,
  }),
  documentOf: answerOf,
  isCached: true,
  modelNamesOf: ({ model }) => [model],
  texts: TEXTS,
  hidesText: ({ documents }, work) => hidesTextInEmbeddedParts(imagePartsOf(documents), work),
  promptBytesOf,
  sizeOf,
  usageBoundsOf: ({ documents }, { endpoint: { row } }) => ({
    prompt: row.contextLength * documents.length,
    completion: 0,
  }),
  // The answer is a list of numbers.
  withLongestAnswer: (body) => body,
  conversationHintsOf: () => undefined,
  loggedInputOf: (body) => ({ prompt: TEXTS.promptIn(body) }),
  needsOf,
  likelyUseOf: (body) => {
    const { units, mediaTokens = 0 } = sizeOf(body);
    const tokens = estimatedTokens(promptBytesOf(body)) + mediaTokens;
    return likelyUse(tokens, 0, units);
  },
};

function requestFor(body: RerankRequest, candidate: Candidate, adjustments: RequestAdjustments): UpstreamRerankRequest {
  const { query, documents } = body;
  return { ...fieldsFor(body, candidate, adjustments), query, documents, model: candidate.upstreamModel };
}

/** A model reads the query with each document. */
function promptBytesOf(body: RerankRequest): number {
  return countedBytes(body.query) * (body.documents.length - 1) + TEXTS.promptBytesIn(body, countedBytes);
}

/** The images of documents as parts of messages have them. */
function imagePartsOf(documents: readonly RankedInput[]): { readonly type: string; readonly image_url: object }[] {
  return documents.flatMap((one) =>
    isObject(one) && typeof one.image === 'string' ? [{ type: 'image_url', image_url: { url: one.image } }] : [],
  );
}

function sizeOf(body: RerankRequest): RequestSize {
  const { query, documents } = body;
  const images = imagePartsOf(documents);
  return {
    bytes: TEXTS.promptBytesIn(body) + Buffer.byteLength(query) * (documents.length - 1),
    messages: documents.length,
    units: { request: searchUnitsOf(documents.length), input_image: images.length },
    mediaTokens: images.reduce((sum, part) => sum + mediaTokensOf(part, true), 0),
  };
}

function needsOf({ query, documents }: RerankRequest): EndpointNeeds {
  const longest = documents.reduce<number>((most, one) => Math.max(most, TEXTS_OF_DOCUMENT.promptBytesIn(one)), 0);
  return {
    promptTokens: Math.floor((Buffer.byteLength(query) + longest) / MAXIMUM_BYTES_PER_TOKEN),
    maxTokens: null,
    inputModalities: new Set(imagePartsOf(documents).length > 0 ? ['image'] : []),
    outputModalities: new Set(['rerank']),
    usesTools: false,
    parameters: new Set(),
    preferredParameters: new Set(),
  };
}

/** Providers send no documents back, or cut them: they are those of the request, as the provider got them. */
function answerOf(
  { ranking, units }: Ranked,
  { request, decision: { sent: body } }: Exchange<RerankRequest>,
  { model, endpoint }: Candidate,
  { total_tokens: tokens, cost, is_byok: isByok, cost_details: details }: AnswerUsage,
): RerankResponse {
  return {
    id: request.id,
    model: model.row.id,
    provider: endpoint.provider.name,
    results: ranking.map(({ index, relevanceScore }) => {
      const document = body.documents[index]!;
      return {
        index,
        relevance_score: relevanceScore,
        document: typeof document === 'string' ? { text: document } : document,
      };
    }),
    usage: { search_units: units?.request ?? 0, total_tokens: tokens, cost, is_byok: isByok, cost_details: details },
  };
}
