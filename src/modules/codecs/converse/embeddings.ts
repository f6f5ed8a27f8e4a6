import { type EmbeddingRequest, type EmbeddingUsage, inputsOf } from '../chat/embeddings.js';
import { countOf, type JsonObject, listOf, nonEmptyText, objectOf, wordOf } from '../chat/json-values.js';
import { knownModelOf } from '../chat/known-model.js';
import { ProviderError, untranslatable } from '../errors/provider-error.js';
import type { AnswerHead, CodecOperation } from '../upstream-codec.js';
import { inputTokensOf, requestIdOf, pathOf } from './invocation.js';

/** What one call has given: the vectors of its texts, and what it has counted. */
interface Embedded {
  readonly vectors: readonly unknown[];
  readonly tokens: number | undefined;
  readonly id?: string | undefined;
}

/** How a model is called for embeddings: each has a form of its own. */
interface EmbeddingForm {
  /** How many texts one call takes. */
  readonly mostTexts: number;
  bodyOf(texts: readonly string[], request: EmbeddingRequest): JsonObject;
  /** @param head of the answer */
  read(answer: JsonObject, head: AnswerHead): Embedded;
}

/** What vectors are for, as Nova says it, by what clients call it. */
const PURPOSES: ReadonlyMap<string, string> = new Map([
  ['search_query', 'TEXT_RETRIEVAL'],
  ['query', 'TEXT_RETRIEVAL'],
  ['classification', 'CLASSIFICATION'],
  ['clustering', 'CLUSTERING'],
]);

/** What vectors are for, as Cohere says it, by what clients call it. */
const INPUT_TYPES: ReadonlyMap<string, string> = new Map([
  ['query', 'search_query'],
  ['document', 'search_document'],
  ['passage', 'search_document'],
]);

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html */
const TITAN: EmbeddingForm = {
  mostTexts: 1,
  bodyOf: ([inputText], { dimensions, normalize }) => ({
    inputText,
    ...(dimensions != null && { dimensions }),
    ...(typeof normalize === 'boolean' && { normalize }),
  }),
  read: ({ embedding, inputTextTokenCount }) => ({ vectors: [embedding], tokens: countOf(inputTextTokenCount) }),
};

/** https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html */
const COHERE: EmbeddingForm = {
  mostTexts: 96,
  bodyOf: (texts, { dimensions, input_type: given, truncate }) => {
    const type = nonEmptyText(given)?.toLowerCase() ?? 'search_document';
    return {
      texts,
      input_type: INPUT_TYPES.get(type) ?? type,
      embedding_types: ['float'],
      ...(nonEmptyText(truncate) !== undefined && { truncate }),
      ...(dimensions != null && { output_dimension: dimensions }),
    };
  },
  read: ({ id, embeddings }, head) => ({
    vectors: listOf(objectOf(embeddings)?.['float'] ?? embeddings),
    // They stand in a header alone.
    tokens: inputTokensOf(head),
    id: wordOf(id),
  }),
};

/** https://docs.aws.amazon.com/nova/latest/userguide/embeddings-schema.html */
const NOVA: EmbeddingForm = {
  mostTexts: 1,
  bodyOf: ([value], { dimensions, input_type: type }) => ({
    taskType: 'SINGLE_EMBEDDING',
    singleEmbeddingParams: {
      embeddingPurpose: PURPOSES.get(nonEmptyText(type)?.toLowerCase() ?? '') ?? 'GENERIC_INDEX',
      ...(dimensions != null && { embeddingDimension: dimensions }),
      text: { truncationMode: 'NONE', value },
    },
  }),
  read: ({ embeddings, inputTokenCount }) => ({
    vectors: listOf(embeddings)
      .slice(0, 1)
      .map((one) => objectOf(one)?.['embedding']),
    tokens: countOf(inputTokenCount),
  }),
};

const FORMS = { titan: TITAN, cohere: COHERE, nova: NOVA } as const;

/** Embeddings by `InvokeModel`, for which Converse has no operation (docs/interface/providers.md#converse). */
export const INVOKED_EMBEDDINGS: CodecOperation<'embeddings'> = {
  encode(request) {
    const form = formOf(request);
    const path = pathOf(request.model, 'invoke');
    return batchesOf(textsOf(request), form.mostTexts).map((texts) => ({ path, body: form.bodyOf(texts, request) }));
  },

  decode(documents, request, _upstream, heads) {
    const form = formOf(request);
    const answers = documents.map((document, at) => form.read(objectOf(document) ?? {}, heads[at] ?? {}));
    const vectors = answers.flatMap((answer) => answer.vectors);
    const sizes = batchesOf(textsOf(request), form.mostTexts).map((texts) => texts.length);
    if (answers.some((answer, at) => answer.vectors.length !== sizes[at])) {
      throw new ProviderError('invalid', 'The provider’s answer does not have one embedding for each input.');
    }
    return {
      upstreamId: answers[0]?.id ?? requestIdOf(heads[0] ?? {}),
      data: vectors.map((embedding, index) => ({ index, embedding: vectorOf(embedding) })),
      usage: usageOf(answers),
    };
  },
};

/** @throws ProviderError for a model of which it is not known how it is called */
function formOf(request: EmbeddingRequest): EmbeddingForm {
  const { embedding_form: form } = knownModelOf(request);
  if (form === undefined) throw untranslatable('embeddings of this model');
  return FORMS[form];
}

/** @throws ProviderError for an input of tokens, which are those of another model, or of other media */
function textsOf({ input }: EmbeddingRequest): readonly string[] {
  return inputsOf(input).map((one) => {
    if (typeof one !== 'string') throw untranslatable('inputs that are no texts');
    return one;
  });
}

function batchesOf(texts: readonly string[], most: number): readonly (readonly string[])[] {
  const count = Math.ceil(texts.length / most);
  return Array.from({ length: count }, (_, at) => texts.slice(at * most, (at + 1) * most));
}

function vectorOf(value: unknown): readonly number[] {
  // JSON has numbers that no double can hold, and it has no infinite ones to hand on.
  if (Array.isArray(value) && value.length > 0 && value.every(Number.isFinite)) return value as number[];
  throw new ProviderError('invalid', 'The provider’s answer has an embedding that is no list of numbers.');
}

/** The sum of all calls, where each has counted. */
function usageOf(answers: readonly Embedded[]): EmbeddingUsage | null {
  let sum = 0;
  for (const { tokens } of answers) {
    if (tokens === undefined) return null;
    sum += tokens;
  }
  return { prompt_tokens: sum, total_tokens: sum };
}
