import {
  EMBEDDED_TOKENS,
  type EmbeddingList,
  type EmbeddingRequest,
  type EmbeddingUsage,
  inputsOf,
  isVector,
} from '../chat/embeddings.js';
import { countOf, type JsonObject, listOf, nonEmptyText, objectOf } from '../chat/json-values.js';
import { knownModelOf } from '../chat/known-model.js';
import { ProviderError, untranslatable } from '../errors/provider-error.js';
import type { CodecOperation, EncodedRequest } from '../upstream-codec.js';
import { GEMINI_API, type GoogleService, VERTEX_AI } from './google-service.js';
import { modelName, modelPath } from './model-path.js';
import { type Part, partsOf } from './parts.js';

/** How many inputs one request of the Gemini API may have. */
const MOST_IN_BATCH = 100;

/** How many texts one request to Vertex has where the catalog does not say more: some models take no second one. */
const MOST_INSTANCES = 1;

/** Bytes of the texts of one request to Vertex, which takes 20,000 tokens: a token has more than two as a rule. */
const MOST_BYTES_OF_INSTANCES = 40_000;

/** What vectors are for (https://ai.google.dev/gemini-api/docs/embeddings#task-types), by what clients call it in `input_type` or `task`. */
const TASKS: ReadonlyMap<string, string> = new Map([
  ['query', 'RETRIEVAL_QUERY'],
  ['search_query', 'RETRIEVAL_QUERY'],
  ['retrieval_query', 'RETRIEVAL_QUERY'],
  ['document', 'RETRIEVAL_DOCUMENT'],
  ['passage', 'RETRIEVAL_DOCUMENT'],
  ['search_document', 'RETRIEVAL_DOCUMENT'],
  ['retrieval_document', 'RETRIEVAL_DOCUMENT'],
  ['retrieval_passage', 'RETRIEVAL_DOCUMENT'],
  ['semantic_similarity', 'SEMANTIC_SIMILARITY'],
  ['text_matching', 'SEMANTIC_SIMILARITY'],
  ['classification', 'CLASSIFICATION'],
  ['clustering', 'CLUSTERING'],
  ['question_answering', 'QUESTION_ANSWERING'],
  ['fact_verification', 'FACT_VERIFICATION'],
  ['code_retrieval_query', 'CODE_RETRIEVAL_QUERY'],
]);

/** @returns undefined for a purpose that the provider has no word for */
function taskOf(request: EmbeddingRequest): string | undefined {
  const said = nonEmptyText(request['input_type']) ?? nonEmptyText(request['task']);
  return TASKS.get((said ?? '').toLowerCase().replaceAll(/[.-]/g, '_'));
}

/** The parts of an input, which become one vector. @throws ProviderError for one of tokens, which are those of another model */
function partsOfInput(input: unknown, service: GoogleService): readonly Part[] {
  if (typeof input === 'string') return [{ text: input }];
  const parts = objectOf(input)?.['content'];
  if (!Array.isArray(parts)) throw untranslatable('inputs of tokens');
  return partsOf(parts as never, service);
}

function textOfInput(input: unknown, service: GoogleService): string {
  const parts = partsOfInput(input, service);
  if (parts.some((part) => part['text'] === undefined)) throw untranslatable('inputs but texts');
  return parts.map((part) => String(part['text'])).join('\n');
}

/** `batchEmbedContents` of the Gemini API (https://ai.google.dev/api/embeddings). */
export const BATCH_EMBEDDINGS: CodecOperation<'embeddings'> = {
  encode(request) {
    const task = taskOf(request);
    const requests = inputsOf(request.input).map((input) => ({
      model: modelName(request.model),
      content: { parts: partsOfInput(input, GEMINI_API) },
      ...(task !== undefined && { taskType: task }),
      ...(request.dimensions != null && { outputDimensionality: request.dimensions }),
    }));
    const batches = Math.ceil(requests.length / MOST_IN_BATCH);
    return Array.from({ length: batches }, (_, batch) => ({
      path: modelPath(request.model, 'batchEmbedContents'),
      body: { requests: requests.slice(batch * MOST_IN_BATCH, (batch + 1) * MOST_IN_BATCH) },
    }));
  },

  decode: (documents, { input }) =>
    listed(
      documents
        .flatMap((document) => listOf(objectOf(document)?.['embeddings']))
        .map((one) => objectOf(one)?.['values']),
      usageOf(documents.map((document) => objectOf(objectOf(document)?.['usageMetadata']))),
      inputsOf(input).length,
    ),
};

/**
 * `predict` of Vertex AI, or `embedContent` for models that have that alone, as the catalog says
 * (https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api). A text that is too long is refused, and not cut.
 */
export const VERTEX_EMBEDDINGS: CodecOperation<'embeddings'> = {
  encode: (request) => (isContentEmbedder(request) ? contentRequests(request) : predictions(request)),

  decode: (documents, request) =>
    isContentEmbedder(request) ? listOfContents(documents, request) : listOfPredictions(documents, request),
};

function isContentEmbedder(request: EmbeddingRequest): boolean {
  return knownModelOf(request).embedding_operation === 'embed_content';
}

function contentRequests(request: EmbeddingRequest): readonly EncodedRequest[] {
  const task = taskOf(request);
  return inputsOf(request.input).map((input) => ({
    path: modelPath(request.model, 'embedContent'),
    body: {
      content: { parts: partsOfInput(input, VERTEX_AI) },
      embedContentConfig: {
        ...(task !== undefined && { taskType: task }),
        ...(request.dimensions != null && { outputDimensionality: request.dimensions }),
        autoTruncate: false,
      },
    },
  }));
}

function predictions(request: EmbeddingRequest): readonly EncodedRequest[] {
  const task = taskOf(request);
  const most = knownModelOf(request).embedding_inputs ?? MOST_INSTANCES;
  const texts = inputsOf(request.input).map((input) => textOfInput(input, VERTEX_AI));
  return inBatches(texts, most).map((batch) => ({
    path: modelPath(request.model, 'predict'),
    body: {
      instances: batch.map((content) => ({ content, ...(task !== undefined && { task_type: task }) })),
      parameters: {
        ...(request.dimensions != null && { outputDimensionality: request.dimensions }),
        autoTruncate: false,
      },
    },
  }));
}

/** Texts in their order, as many together as one request may have. */
function inBatches(texts: readonly string[], most: number): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    bytes += Buffer.byteLength(text);
    if (last !== undefined && last.length < most && bytes <= MOST_BYTES_OF_INSTANCES) last.push(text);
    else {
      batches.push([text]);
      bytes = Buffer.byteLength(text);
    }
  }
  return batches;
}

function listOfContents(documents: readonly unknown[], { input }: EmbeddingRequest): EmbeddingList {
  return listed(
    documents.map((document) => objectOf(objectOf(document)?.['embedding'])?.['values']),
    usageOf(documents.map((document) => objectOf(objectOf(document)?.['usageMetadata']))),
    inputsOf(input).length,
  );
}

function listOfPredictions(documents: readonly unknown[], { input }: EmbeddingRequest): EmbeddingList {
  const embedded = documents
    .flatMap((document) => listOf(objectOf(document)?.['predictions']))
    .map((prediction) => objectOf(objectOf(prediction)?.['embeddings']));
  const counts = embedded.map((one) => countOf(objectOf(one?.['statistics'])?.['token_count']));
  const tokens = counts.every((count) => count !== undefined)
    ? counts.reduce((sum, count) => sum + count, 0)
    : undefined;
  const usage = tokens === undefined || counts.length === 0 ? null : { prompt_tokens: tokens, total_tokens: tokens };
  return listed(
    embedded.map((one) => one?.['values']),
    usage,
    inputsOf(input).length,
  );
}

/** @throws ProviderError unless there is one vector for each input */
function listed(vectors: readonly unknown[], usage: EmbeddingUsage | null, count: number): EmbeddingList {
  if (vectors.length !== count) {
    throw new ProviderError('invalid', 'The provider’s answer does not have one embedding for each input.');
  }
  const data = vectors.map((embedding, index) => {
    if (!isVector(embedding))
      throw new ProviderError('invalid', 'The provider’s answer has an embedding without numbers.');
    return { index, embedding };
  });
  return { upstreamId: null, data, usage };
}

/** The words for what tokens are of, in the order of {@link EMBEDDED_TOKENS}. */
const MODALITIES = ['TEXT', 'IMAGE', 'AUDIO', 'VIDEO', 'DOCUMENT'] as const;

/** The sum of what all answers count. @returns null if one of them counts nothing, as those of older models */
function usageOf(all: readonly (JsonObject | undefined)[]): EmbeddingUsage | null {
  const counts = all.map((usage) => countOf(usage?.['promptTokenCount']));
  if (counts.length === 0 || !counts.every((count) => count !== undefined)) return null;
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  const entries = all.flatMap((usage) => listOf(usage?.['promptTokensDetails']).map(objectOf));
  const details = EMBEDDED_TOKENS.flatMap((name, place) => {
    const ofModality = entries.filter((entry) => entry?.['modality'] === MODALITIES[place]);
    const sum = ofModality.reduce((total, entry) => total + (countOf(entry?.['tokenCount']) ?? 0), 0);
    return sum > 0 ? [[name, sum] as const] : [];
  });
  return {
    prompt_tokens: tokens,
    total_tokens: tokens,
    ...(details.length > 0 && { prompt_tokens_details: Object.fromEntries(details) }),
  };
}
