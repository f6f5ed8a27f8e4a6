import { Injectable } from '@nestjs/common';
import type { ChatChunk, ChatCompletion, ChatRequest } from '../../chat-completion.js';
import type { ServerSentEvent } from '../../upstream/server-sent-events.js';
import { type EmbeddingList, type EmbeddingRequest, inputsOf } from '../../embeddings.js';
import type { UpstreamCall } from '../../upstream/upstream-call.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import { credentialHeaders } from '../credential-headers.js';
import { brokenOff, eventDocument } from '../event-document.js';
import type { ProviderProtocol, Upstream } from '../provider-protocol.js';
import { chunkOf } from './chunk.js';
import { completionOf } from './completion.js';
import { embeddingsOf } from './embeddings.js';
import { requestBody } from './request-body.js';

/** The protocol of OpenAI and of the many providers and servers that speak as it does (docs/interface/providers.md#openai). */
@Injectable()
export class OpenAiProtocol implements ProviderProtocol {
  constructor(private readonly client: UpstreamClient) {}

  async complete(upstream: Upstream, request: ChatRequest, signal: AbortSignal): Promise<ChatCompletion> {
    const body = requestBody(request, upstream.provider, false);
    return completionOf(await this.client.document(callOf(upstream, '/chat/completions', body, signal)));
  }

  async *stream(
    upstream: Upstream,
    request: ChatRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ChatChunk, void, undefined> {
    const body = this.streamBody(upstream, request);
    let finished = false;
    for await (const event of this.client.events(callOf(upstream, '/chat/completions', body, signal), isDone)) {
      if (isDone(event)) return;
      const chunk = chunkOf(eventDocument(event, upstream));
      finished ||= chunk.choices.some(({ finish_reason }) => finish_reason !== null);
      yield chunk;
    }
    if (!finished) throw brokenOff();
  }

  streamBody({ provider }: Upstream, request: ChatRequest): object {
    return requestBody(request, provider, true);
  }

  async embed(upstream: Upstream, request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingList> {
    const call = callOf(upstream, '/embeddings', request, signal);
    return embeddingsOf(await this.client.document(call), inputsOf(request.input).length);
  }
}

function callOf(upstream: Upstream, path: string, body: object, signal: AbortSignal): UpstreamCall {
  return { upstream, path, body, signal, headers: credentialHeaders('openai', upstream.apiKey) };
}

function isDone({ data }: ServerSentEvent): boolean {
  return data === '[DONE]';
}
