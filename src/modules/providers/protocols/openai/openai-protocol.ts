import { Injectable } from '@nestjs/common';
import type { ChatChunk, ChatCompletion, ChatRequest } from '../../chat-completion.js';
import { saysSomething } from '../../says-something.js';
import type { ServerSentEvent } from '../../upstream/server-sent-events.js';
import { type EmbeddingList, type EmbeddingRequest, inputsOf } from '../../embeddings.js';
import type { UpstreamCall } from '../../upstream/upstream-call.js';
import type { EventForm } from '../../upstream/upstream-events.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import { credentialHeaders } from '../credential-headers.js';
import { brokenOff, eventDocument } from '../event-document.js';
import type { Asker, ProviderProtocol, Upstream } from '../provider-protocol.js';
import { chunkOf } from './chunk.js';
import { completionOf, largeCompletionOf } from './completion.js';
import { embeddingsOf } from './embeddings.js';
import { requestBody } from './request-body.js';

/** The protocol of OpenAI and of the many providers and servers that speak as it does (docs/interface/providers.md#openai). */
@Injectable()
export class OpenAiProtocol implements ProviderProtocol {
  constructor(private readonly client: UpstreamClient) {}

  async complete(upstream: Upstream, request: ChatRequest, asker: Asker): Promise<ChatCompletion> {
    const body = requestBody(request, upstream.provider, false);
    const { value, work } = await this.client.document(callOf(upstream, '/chat/completions', body, asker));
    return work === undefined ? completionOf(value) : largeCompletionOf(value, work);
  }

  stream(upstream: Upstream, request: ChatRequest, asker: Asker): AsyncIterableIterator<ChatChunk> {
    const call = (): UpstreamCall => callOf(upstream, '/chat/completions', this.streamBody(upstream, request), asker);
    return this.client.events(call, new ChunkEvents(upstream));
  }

  streamBody({ provider }: Upstream, request: ChatRequest): object {
    return requestBody(request, provider, true);
  }

  async embed(upstream: Upstream, request: EmbeddingRequest, asker: Asker): Promise<EmbeddingList> {
    const call = callOf(upstream, '/embeddings', request, asker);
    return embeddingsOf(await this.client.document(call), inputsOf(request.input).length);
  }
}

/** Reads the events of one stream. */
class ChunkEvents implements EventForm<ChatChunk> {
  readonly saysSomething = saysSomething;
  private isFinished = false;

  constructor(private readonly upstream: Upstream) {}

  read(event: ServerSentEvent): ChatChunk | undefined {
    if (this.isLast(event)) {
      this.isFinished = true;
      return undefined;
    }
    const chunk = chunkOf(eventDocument(event, this.upstream));
    this.isFinished ||= chunk.choices.some(({ finish_reason: reason }) => reason !== null);
    return chunk;
  }

  isLast({ data }: ServerSentEvent): boolean {
    return data === '[DONE]';
  }

  ended(): void {
    if (!this.isFinished) throw brokenOff();
  }
}

function callOf(upstream: Upstream, path: string, body: object, asker: Asker): UpstreamCall {
  const { organizationId, signal } = asker;
  return { upstream, path, body, organizationId, signal, headers: credentialHeaders('openai', upstream.apiKey) };
}
