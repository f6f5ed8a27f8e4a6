import { Injectable } from '@nestjs/common';
import type { ChatChunk, ChatCompletion, ChatRequest } from '../../chat-completion.js';
import type { ServerSentEvent } from '../../upstream/server-sent-events.js';
import type { UpstreamCall } from '../../upstream/upstream-call.js';
import { UpstreamClient } from '../../upstream/upstream-client.js';
import { credentialHeaders } from '../credential-headers.js';
import { brokenOff, eventDocument } from '../event-document.js';
import type { ProviderProtocol, Upstream } from '../provider-protocol.js';
import { completionOf } from './completion.js';
import { EventTranslator } from './event-translator.js';
import { requestBody } from './request-body.js';

/** The protocol of Anthropic, the Messages API (docs/interface/providers.md#anthropic). */
@Injectable()
export class AnthropicProtocol implements ProviderProtocol {
  constructor(private readonly client: UpstreamClient) {}

  async complete(upstream: Upstream, request: ChatRequest, signal: AbortSignal): Promise<ChatCompletion> {
    return completionOf(await this.client.document(callOf(upstream, requestBody(request, false), signal)));
  }

  async *stream(
    upstream: Upstream,
    request: ChatRequest,
    signal: AbortSignal,
  ): AsyncGenerator<ChatChunk, void, undefined> {
    const translator = new EventTranslator();
    for await (const event of this.client.events(callOf(upstream, requestBody(request, true), signal), isLast)) {
      const chunk = translator.translate(eventDocument(event, upstream));
      if (chunk !== undefined) yield chunk;
    }
    if (!translator.finished) throw brokenOff();
  }
}

function callOf(upstream: Upstream, body: object, signal: AbortSignal): UpstreamCall {
  const headers = credentialHeaders('anthropic', upstream.apiKey);
  return { upstream, path: '/messages', body, signal, headers };
}

function isLast({ event }: ServerSentEvent): boolean {
  return event === 'message_stop';
}
