import { Injectable } from '@nestjs/common';
import type { ChatChunk, ChatCompletion, ChatRequest } from '../chat/chat-completion.js';
import { nonEmptyText, objectOf } from '../chat/json-values.js';
import { messagesFieldsOf } from '../chat/messages-fields.js';
import { hasAnswerPart } from '../chat/chunk-content.js';
import { readingFailure, withCounted } from '../errors/provider-error.js';
import { refusal } from '../errors/error-object.js';
import type { UpstreamCall } from '../../providers/upstream/upstream-call.js';
import { UpstreamClient } from '../../providers/upstream/upstream-client.js';
import { credentialHeaders } from '../../providers/upstream/credential-headers.js';
import { brokenOff, eventDocument, isBlank, isDone } from '../event-document.js';
import type { Asker, ProviderProtocol, Upstream } from '../upstream-codec.js';
import { completionOf, countedUsageOf, countsAnswer } from './answer-decoder.js';
import { EventTranslator } from './stream-decoder.js';
import { requestBody } from './request-encoder.js';

/** The protocol of Anthropic, the Messages API (docs/interface/providers.md#anthropic). */
@Injectable()
export class AnthropicProtocol implements ProviderProtocol {
  constructor(private readonly client: UpstreamClient) {}

  async complete(upstream: Upstream, request: ChatRequest, asker: Asker): Promise<ChatCompletion> {
    const value = await this.client.document(callOf(upstream, request, { stream: false, asker }));
    try {
      return completionOf(value);
    } catch (error) {
      const usage = objectOf(objectOf(value)?.['usage']) ?? {};
      throw withCounted(readingFailure(error, asker.signal), countedUsageOf(usage, countsAnswer(usage)));
    }
  }

  stream(upstream: Upstream, request: ChatRequest, asker: Asker): AsyncIterableIterator<ChatChunk> {
    const translator = new EventTranslator();
    return this.client.events(() => callOf(upstream, request, { stream: true, asker }), {
      read(event) {
        // Routers in between send the end of a stream of OpenAI's form, even after the end of this one.
        if (isDone(event) || isBlank(event)) return undefined;
        const document = eventDocument(event, upstream);
        // One with particulars has been thrown.
        if (event.event === 'error' || document['type'] === 'error') throw refusal(undefined, upstream, {});
        return translator.translate(document);
      },
      hasAnswerPart,
      get keptBytes() {
        return translator.keptBytes;
      },
      isLast: (event) => translator.hasStopped || event.event === 'message_stop' || isDone(event),
      hasFinished: () => translator.finished,
      ended() {
        if (!translator.finished) throw brokenOff();
      },
    });
  }

  streamBody(_upstream: Upstream, request: ChatRequest): object {
    return requestBody(request, true);
  }
}

/** How an answer is asked for. */
interface Asking {
  readonly stream: boolean;
  readonly asker: Asker;
}

function callOf(upstream: Upstream, request: ChatRequest, { stream, asker }: Asking): UpstreamCall {
  const betas = nonEmptyText(messagesFieldsOf(request)['betas']);
  const headers = {
    ...credentialHeaders('anthropic', upstream.apiKey),
    ...(betas === undefined ? {} : { 'anthropic-beta': betas }),
  };
  return { ...asker, upstream, path: '/messages', body: requestBody(request, stream, asker.adjustments), headers };
}
