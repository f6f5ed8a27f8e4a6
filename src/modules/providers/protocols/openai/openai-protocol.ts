import { Injectable } from '@nestjs/common';
import type { ChatChunk, ChatChunkChoice, ChatCompletion, ChatDelta, ChatRequest } from '../../chat-completion.js';
import type { ProviderError } from '../../provider-error.js';
import { hasContent, saysSomething } from '../../says-something.js';
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
import { namedError, reportedFailure, withFailures } from './reported-failure.js';
import { requestBody } from './request-body.js';
import { ToolCallPlaces } from './tool-call-places.js';

/** The protocol of OpenAI and of the many providers and servers that speak as it does (docs/interface/providers.md#openai). */
@Injectable()
export class OpenAiProtocol implements ProviderProtocol {
  constructor(private readonly client: UpstreamClient) {}

  async complete(upstream: Upstream, request: ChatRequest, asker: Asker): Promise<ChatCompletion> {
    const body = requestBody(request, upstream.provider, false);
    const { value, work } = await this.client.document(callOf(upstream, '/chat/completions', body, asker));
    const completion = work === undefined ? completionOf(value) : await largeCompletionOf(value, work);
    const failure = reportedFailure(completion.choices, value, upstream);
    if (failure === undefined) return completion;
    if (!completion.choices.some(({ message }) => hasContent(message))) throw failure;
    return { ...completion, choices: withFailures(completion.choices, value, upstream) };
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
  private failure: ProviderError | undefined;
  private readonly toolCalls = new ToolCallPlaces();

  constructor(private readonly upstream: Upstream) {}

  read(event: ServerSentEvent): ChatChunk | undefined {
    if (this.isLast(event)) {
      this.isFinished = true;
      return undefined;
    }
    // Some servers keep a connection alive with events whose data is empty.
    if (event.data === '') return undefined;
    const document = eventDocument(event, this.upstream);
    // One with an error in it has been thrown.
    if (event.event === 'error') throw namedError(document, this.upstream);
    const chunk = chunkOf(document);
    this.failure ??= reportedFailure(chunk.choices, document, this.upstream);
    this.isFinished ||= chunk.choices.some(({ finish_reason: reason }) => reason !== null);
    if (this.failure === undefined && !chunk.choices.some(callsTools)) return chunk;
    const { choices, ...others } = chunk;
    return { choices: choices.map((choice) => this.shown(choice)), ...others };
  }

  isLast({ data }: ServerSentEvent): boolean {
    return data === '[DONE]';
  }

  ended(): void {
    // Not before the end, because the usage may come behind it.
    if (this.failure !== undefined) throw this.failure;
    if (!this.isFinished) throw brokenOff();
  }

  private shown(choice: ChatChunkChoice): ChatChunkChoice {
    const { index, delta, finish_reason: reason, native_finish_reason: native, ...others } = choice;
    const hasFailed = reason === 'error';
    return {
      index,
      delta: this.placed(index, delta),
      finish_reason: hasFailed ? null : reason,
      native_finish_reason: hasFailed ? null : native,
      ...others,
    };
  }

  private placed(choice: number, delta: ChatDelta): ChatDelta {
    if (delta.tool_calls === undefined) return delta;
    const { tool_calls: calls, ...said } = delta;
    return { tool_calls: this.toolCalls.placed(choice, calls), ...said };
  }
}

function callsTools({ delta }: ChatChunkChoice): boolean {
  return delta.tool_calls !== undefined;
}

function callOf(upstream: Upstream, path: string, body: object, asker: Asker): UpstreamCall {
  return { ...asker, upstream, path, body, headers: credentialHeaders('openai', upstream.apiKey) };
}
