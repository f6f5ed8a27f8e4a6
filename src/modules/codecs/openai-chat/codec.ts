import {
  type Embedding,
  EMBEDDED_TOKENS,
  type EmbeddingList,
  type EmbeddingUsage,
  inputsOf,
  isVector,
} from '../chat/embeddings.js';
import { countOf, listOf, objectOf, placeOf, wordOf } from '../chat/json-values.js';
import { ProviderError } from '../errors/provider-error.js';
import type { ChatCompletion } from '../chat/chat-completion.js';
import { choicesOf } from '../chat/choice-count.js';
import { hasContent } from '../chat/chunk-content.js';
import type { Upstream, UpstreamCodec } from '../upstream-codec.js';
import { ChunkEvents } from './stream-decoder.js';
import { completionOf } from './answer-decoder.js';
import { reportedFailure, withFailures } from './reported-failures.js';
import { ImageEvents, imagesOf, imagesRequest } from './images.js';
import { moderationsOf } from './moderations.js';
import { requestBody } from './request-encoder.js';
import { rankedDocumentsOf } from './rerank.js';
import { transcriptionOf, transcriptionRequest } from './transcription.js';
import { usageIn } from './usage.js';

/**
 * Reads the embeddings of a request.
 *
 * @param document parsed JSON
 * @param count how many there have to be
 * @throws ProviderError unless there is one for each input
 */
export function embeddingsOf(document: unknown, count: number): EmbeddingList {
  const answer = objectOf(document);
  const list = listOf(answer?.['data']);
  if (list.length !== count) {
    throw new ProviderError('invalid', 'The provider’s answer does not have one embedding for each input.');
  }
  const data = list.map(embeddingOf);
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
  if (typeof embedding !== 'string' && !isVector(embedding)) {
    throw new ProviderError('invalid', 'The provider’s answer has an embedding that is neither numbers nor text.');
  }
  return { index: placeOf(item?.['index'], place), embedding };
}

/** The dialect of OpenAI and of the many providers and servers that speak as it does (docs/interface/providers.md#openai). */
export const OPENAI_CHAT: UpstreamCodec = {
  operation: 'chat',

  countedIn: (document) => usageIn(objectOf(document) ?? {}),

  operations: {
    chat: {
      encode: (request, isStreamed, adjustments) => [
        { path: '/chat/completions', body: requestBody(request, isStreamed, adjustments) },
      ],
      decode: ([document], _request, upstream) => completionIn(document, upstream),
      streamDecoder: (request, upstream) => new ChunkEvents(upstream, choicesOf(request)),
    },

    embeddings: {
      encode: (request) => [{ path: '/embeddings', body: request }],
      decode: ([document], { input }) => embeddingsOf(document, inputsOf(input).length),
    },

    rerank: {
      // The form that Cohere has made (version 2), which vLLM, Jina and LocalAI take too (docs/interface/rerank.md).
      encode: (request) => [{ path: '/rerank', body: request }],
      decode: ([document], request) => rankedDocumentsOf(document, request),
    },

    speech: { encode: (request) => [{ path: '/audio/speech', body: request }] },

    transcription: {
      encode: (request) => [transcriptionRequest(request)],
      decode: ([document], request) => transcriptionOf(document, request),
    },

    moderation: {
      // Mistral has taken the form of OpenAI over for texts.
      encode: (request) => [{ path: '/moderations', body: request }],
      decode: ([document], request) => moderationsOf(document, request),
    },

    image: {
      embedsMedia: true,
      encode: (request, isStreamed) => [imagesRequest(request, isStreamed)],
      decode: ([document]) => imagesOf(document),
      streamDecoder: ({ n }, upstream) => new ImageEvents(n, upstream),
    },
  },
};

/** Reads a whole answer. @throws ProviderError also for one of which each choice has failed without a content */
function completionIn(document: unknown, upstream: Upstream): ChatCompletion {
  const completion = completionOf(document);
  const failure = reportedFailure(completion.choices, document, upstream);
  if (failure === undefined) return completion;
  if (!completion.choices.some(({ message }) => hasContent(message))) throw failure;
  return { ...completion, choices: withFailures(completion.choices, document, upstream) };
}
