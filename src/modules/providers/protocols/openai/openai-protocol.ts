import { Injectable } from '@nestjs/common';
import type { ChatChunk, ChatChunkChoice, ChatCompletion, ChatRequest } from '../../chat-completion.js';
import { saysSomething } from '../../says-something.js';
import type { ServerSentEvent } from '../../upstream/server-sent-events.js';
import { type EmbeddingList, type EmbeddingRequest, inputsOf } from '../../embeddings.js';
import type { UpstreamCall } from '../../upstream/upstream-call.js';
import type { EventForm } from '../../upstream/upstream-events.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import { credentialHeaders } from '../credential-headers.js';
import { brokenOff, eventDocument } from '../event-document.js';
import type { ProviderProtocol, Upstream } from '../provider-protocol.js';
import { chunkOf } from './chunk.js';
import { completionOf } from './completion.js';
import { embeddingsOf } from './embeddings.js';
import { requestBody } from './request-body.js';
import { ToolCallPlaces } from './tool-call-places.js';

/** The protocol of OpenAI and of the many providers and servers that speak as it does (docs/interface/providers.md#openai). */
@Injectable()
export class OpenAiProtocol implements ProviderProtocol {
  constructor(private readonly client: UpstreamClient) {}

  async complete(upstream: Upstream, request: ChatRequest, signal: AbortSignal): Promise<ChatCompletion> {
    const body = requestBody(request, upstream.provider, false);
    return completionOf(await this.client.document(callOf(upstream, '/chat/completions', body, signal)));
  }

  stream(upstream: Upstream, request: ChatRequest, signal: AbortSignal): AsyncIterableIterator<ChatChunk> {
    const call = (): UpstreamCall => callOf(upstream, '/chat/completions', this.streamBody(upstream, request), signal);
    return this.client.events(call, new ChunkEvents(upstream));
  }

  streamBody({ provider }: Upstream, request: ChatRequest): object {
    return requestBody(request, provider, true);
  }

  async embed(upstream: Upstream, request: EmbeddingRequest, signal: AbortSignal): Promise<EmbeddingList> {
    const call = callOf(upstream, '/embeddings', request, signal);
    return embeddingsOf(await this.client.document(call), inputsOf(request.input).length);
  }
}

/** Reads the events of one stream. */
class ChunkEvents implements EventForm<ChatChunk> {
  readonly saysSomething = saysSomething;
  private isFinished = false;
  private readonly toolCalls = new ToolCallPlaces();

  constructor(private readonly upstream: Upstream) {}

  read(event: ServerSentEvent): ChatChunk | undefined {
    if (this.isLast(event)) {
      this.isFinished = true;
      return undefined;
    }
    const chunk = chunkOf(eventDocument(event, this.upstream));
    this.isFinished ||= chunk.choices.some(({ finish_reason: reason }) => reason !== null);
    if (!chunk.choices.some(callsTools)) return chunk;
    const { choices, ...others } = chunk;
    return { choices: choices.map((choice) => this.placed(choice)), ...others };
  }

  isLast({ data }: ServerSentEvent): boolean {
    return data === '[DONE]';
  }

  ended(): void {
    if (!this.isFinished) throw brokenOff();
  }

  private placed(choice: ChatChunkChoice): ChatChunkChoice {
    const calls = choice.delta.tool_calls;
    if (calls === undefined) return choice;
    const { delta, ...others } = choice;
    const { tool_calls: _calls, ...said } = delta;
    return { delta: { tool_calls: this.toolCalls.placed(choice.index, calls), ...said }, ...others };
  }
}

function callsTools({ delta }: ChatChunkChoice): boolean {
  return delta.tool_calls !== undefined;
}

function callOf(upstream: Upstream, path: string, body: object, signal: AbortSignal): UpstreamCall {
  return { upstream, path, body, signal, headers: credentialHeaders('openai', upstream.apiKey) };
}
