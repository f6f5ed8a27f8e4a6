import type { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { parsed } from '../json-values.js';
import { ProviderError } from '../provider-error.js';
import { providerErrorOf, refusal } from './error-object.js';
import { Exchange, type UpstreamAnswer } from './exchange.js';
import { EVENT_STREAM, mayBeEvents, mediaTypeOf } from './media-type.js';
import { retryAfterOf } from './retry-after.js';
import type { UpstreamCall } from './upstream-call.js';
import { type EventForm, UpstreamEvents } from './upstream-events.js';
import { UpstreamOrigins } from './upstream-origins.js';
import { wholeAnswer } from './whole-answer.js';

/** Bytes. */
const LARGEST_ANSWER = 64 * 1024 * 1024;

/** Bytes of the body of a refusal. */
const LARGEST_REFUSAL = 256 * 1024;

const JSON_TYPE = 'application/json';

/**
 * Sends requests to providers, and reads what they answer within the limits of time and size (docs/interface/providers.md).
 * Certificates are checked, redirects are not followed, and nothing is sent twice.
 */
@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  private readonly origins = new UpstreamOrigins();

  /**
   * Asks for a document.
   *
   * @returns the parsed answer, which can be any JSON but an error
   * @throws ProviderError, or the reason of the call's signal
   */
  async document(call: UpstreamCall): Promise<unknown> {
    const exchange = new Exchange(call, this.origins);
    try {
      const answer = await exchange.send(JSON_TYPE);
      await requireSuccess(answer, call, exchange);
      return await documentOf(answer, call, exchange);
    } catch (error) {
      throw exchange.failureOf(error);
    } finally {
      exchange.end();
    }
  }

  /**
   * Asks for a stream of events when the first one is. Leaving the iteration ends the request.
   *
   * @param callOf makes the call
   * @param form reads the events
   * @returns what the form reads of them; the iteration throws ProviderError, or the reason of the call's signal
   */
  events<Value>(callOf: () => UpstreamCall, form: EventForm<Value>): UpstreamEvents<Value> {
    return new UpstreamEvents(() => {
      const call = callOf();
      const exchange = new Exchange(call, this.origins);
      return { exchange, timeouts: call.upstream.timeouts, body: eventBody(exchange, call) };
    }, form);
  }

  /** Ends every connection. Requests have been answered by then. */
  async onApplicationShutdown(): Promise<void> {
    await this.origins.close();
  }
}

/** Sends the request. @throws ProviderError unless events are the answer */
async function eventBody(exchange: Exchange, call: UpstreamCall): Promise<Readable> {
  const answer = await exchange.send(EVENT_STREAM);
  await requireSuccess(answer, call, exchange);
  if (!mayBeEvents(mediaTypeOf(answer.headers['content-type']))) {
    await documentOf(answer, call, exchange);
    throw new ProviderError('invalid', 'The provider answered with a document instead of a stream.');
  }
  return answer.body;
}

/** @throws ProviderError for every status but those of success, in the provider's words if it gave any */
async function requireSuccess(answer: UpstreamAnswer, { upstream }: UpstreamCall, exchange: Exchange): Promise<void> {
  const { status, headers, body } = answer;
  if (status < 300) return;
  if (status < 400) {
    throw new ProviderError('invalid', 'The provider answered with a redirect, which is not followed.', { status });
  }
  const retryAfter = retryAfterOf(headers['retry-after'], Date.now());
  const circumstances = { status, ...(retryAfter === undefined ? {} : { retryAfter }) };
  const type = mediaTypeOf(headers['content-type']);
  const text = await refusalText(body, exchange, upstream.timeouts.gap);
  const document = parsed(text);
  throw (
    providerErrorOf(document, upstream, circumstances) ??
    refusal(type === 'text/plain' && text.trim() !== '' ? text.trim() : undefined, upstream, circumstances)
  );
}

/** What can be read of a refusal; its status says enough where nothing can. */
async function refusalText(body: UpstreamAnswer['body'], { limit }: Exchange, gap: number): Promise<string> {
  try {
    return (await wholeAnswer(body, limit, { largest: LARGEST_REFUSAL, gap })).toString();
  } catch {
    return '';
  }
}

/** @throws ProviderError unless it is a document of JSON, and no error */
async function documentOf(answer: UpstreamAnswer, { upstream }: UpstreamCall, { limit }: Exchange): Promise<unknown> {
  const type = mediaTypeOf(answer.headers['content-type']);
  if (type !== JSON_TYPE && !type.endsWith('+json')) {
    throw new ProviderError('invalid', 'The provider answered with another media type than was asked for.');
  }
  const bytes = await wholeAnswer(answer.body, limit, { largest: LARGEST_ANSWER, gap: upstream.timeouts.gap });
  const document = parsed(bytes.toString());
  if (document === undefined) throw new ProviderError('invalid', 'The provider’s answer is not JSON.');
  const error = providerErrorOf(document, upstream);
  if (error !== undefined) throw error;
  return document;
}
