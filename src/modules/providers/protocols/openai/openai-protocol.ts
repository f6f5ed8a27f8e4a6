import { Injectable } from '@nestjs/common';
import type { ChatChunk, ChatCompletion, ChatRequest } from '../../chat-completion.js';
import { choicesOf } from '../../choice-count.js';
import { hasContent } from '../../chunk-content.js';
import { type EmbeddingList, type EmbeddingRequest, inputsOf } from '../../embeddings.js';
import { objectOf } from '../../json-values.js';
import { readingFailure, withCounted } from '../../provider-error.js';
import type { UpstreamCall } from '../../upstream/upstream-call.js';
import { type ProviderDocument, UpstreamClient } from '../../upstream/upstream-client.js';
import { credentialHeaders } from '../credential-headers.js';
import type { Asker, ProviderProtocol, Upstream } from '../provider-protocol.js';
import { ChunkEvents } from './chunk-events.js';
import { completionOf, largeCompletionOf } from './completion.js';
import { embeddingsOf } from './embeddings.js';
import { reportedFailure, withFailures } from './reported-failure.js';
import { requestBody } from './request-body.js';
import { usageIn } from './usage.js';

/** The protocol of OpenAI and of the many providers and servers that speak as it does (docs/interface/providers.md#openai). */
@Injectable()
export class OpenAiProtocol implements ProviderProtocol {
  constructor(private readonly client: UpstreamClient) {}

  async complete(upstream: Upstream, request: ChatRequest, asker: Asker): Promise<ChatCompletion> {
    const body = requestBody(request, false, asker.adjustments);
    const document = await this.client.document(callOf(upstream, '/chat/completions', body, asker));
    try {
      return await completionIn(document, upstream);
    } catch (error) {
      throw withCounted(readingFailure(error, asker.signal), usageIn(objectOf(document.value) ?? {}));
    }
  }

  stream(upstream: Upstream, request: ChatRequest, asker: Asker): AsyncIterableIterator<ChatChunk> {
    const call = (): UpstreamCall =>
      callOf(upstream, '/chat/completions', requestBody(request, true, asker.adjustments), asker);
    return this.client.events(call, new ChunkEvents(upstream, choicesOf(request)));
  }

  streamBody(_upstream: Upstream, request: ChatRequest): object {
    return requestBody(request, true);
  }

  async embed(upstream: Upstream, request: EmbeddingRequest, asker: Asker): Promise<EmbeddingList> {
    const call = callOf(upstream, '/embeddings', request, asker);
    const document = await this.client.document(call);
    try {
      return await embeddingsOf(document, inputsOf(request.input).length);
    } catch (error) {
      throw withCounted(readingFailure(error, asker.signal), usageIn(objectOf(document.value) ?? {}));
    }
  }
}

/** Reads a whole answer. @throws ProviderError also for one of which each choice has failed without a content */
async function completionIn({ value, work }: ProviderDocument, upstream: Upstream): Promise<ChatCompletion> {
  const completion = work === undefined ? completionOf(value) : await largeCompletionOf(value, work);
  const failure = reportedFailure(completion.choices, value, upstream);
  if (failure === undefined) return completion;
  if (!completion.choices.some(({ message }) => hasContent(message))) throw failure;
  return { ...completion, choices: withFailures(completion.choices, value, upstream) };
}

function callOf(upstream: Upstream, path: string, body: object, asker: Asker): UpstreamCall {
  return { ...asker, upstream, path, body, headers: credentialHeaders('openai', upstream.apiKey) };
}
