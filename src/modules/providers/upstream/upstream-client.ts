import { Readable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type AnswerMemory, UNCOUNTED_MEMORY } from '../../../http/input/request-memory.js';
import { extentWithin, heapBytesOf, parsedIfJson } from '../../../http/input/json-bounds.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { Environment } from '../../../config/environment.js';
import { EgressProxies } from '../../../http/outgoing/egress-proxies.js';
import type { OutgoingAnswer } from '../../../http/outgoing/outgoing-answer.js';
import { amazonClassOf } from '../../codecs/errors/amazon-errors.js';
import { DOCUMENT_BOUNDS } from '../../codecs/chat/document-extent.js';
import { mayHavePrototypeField, removePrototypeFields } from '../../codecs/chat/prototype-fields.js';
import { parsed } from '../../codecs/chat/json-values.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import { providerErrorOf, refusal } from '../../codecs/errors/error-object.js';
import { retryAfterOf } from '../../codecs/errors/retry-after.js';
import type { SpokenAudio } from '../../codecs/chat/speech.js';
import type { StreamDecoder } from '../../codecs/upstream-codec.js';
import { UpstreamAuthorization } from '../credentials/upstream-authorization.js';
import { AmazonEvents } from './amazon-event-stream.js';
import { UpstreamExchange } from './upstream-exchange.js';
import {
  AMAZON_EVENT_STREAM,
  EVENT_STREAM,
  JSON_TYPE,
  mayBeAudio,
  audioTypeOf,
  mayBeEvents,
  mayBeJson,
  mediaTypeOf,
} from './media-type.js';
import type { UpstreamCall } from './upstream-call.js';
import { type EventBody, upstreamEvents } from './upstream-events.js';
import { asEventStream, MAXIMUM_EVENT_LENGTH, ServerSentEvents } from './server-sent-events.js';
import { UpstreamOrigins, CALLS_PER_ORIGIN } from './upstream-origins.js';
import { ViaHeader } from './via-header.js';
import { type WholeAnswer, wholeAnswer } from './whole-answer.js';

/** The largest document, in bytes; of a server of an organization's own half, so that no step with it keeps others waiting for long. */
const MAXIMUM_ANSWER_BYTES = 64 * 1024 * 1024;
const MAXIMUM_PRIVATE_ANSWER_BYTES = MAXIMUM_ANSWER_BYTES / 2;

/** The size from which each step with a document takes a turn of the event loop, in bytes: a smaller one takes some milliseconds. */
const LARGE_DOCUMENT = 256 * 1024;

/** How much of a large document is decoded in one turn, in bytes. */
const DECODED_AT_ONCE = 4 * 1024 * 1024;

/** The largest body of a refusal that is read, in bytes. */
const MAXIMUM_REFUSAL_BYTES = 256 * 1024;

/** How long the body of a refusal is waited for, in milliseconds: another provider may answer, and the status says enough. */
const MAXIMUM_REFUSAL_MS = 5_000;

/** The bytes before a text of UTF-8 with which some servers begin; they do not belong to it. */
const BYTE_ORDER_MARK = Buffer.from('\u{feff}');

/**
 * Sends requests to providers, and reads what they answer within the limits of time and size (docs/interface/providers.md).
 * Certificates are checked, redirects are not followed, and nothing is sent twice but with another token in place of one that was refused, and
 * what no provider has read.
 */
@Injectable()
export class UpstreamClient implements OnApplicationShutdown {
  private readonly origins: UpstreamOrigins;

  constructor(
    private readonly turns: LoopTurns,
    private readonly authorization: UpstreamAuthorization,
    private readonly via: ViaHeader,
    { egressProxies, workers }: Environment,
  ) {
    const callsPerOrigin = Math.floor(CALLS_PER_ORIGIN / workers);
    this.origins = new UpstreamOrigins(new EgressProxies(egressProxies), callsPerOrigin);
  }

  /**
   * Asks for a document.
   *
   * @returns the parsed answer, which can be any JSON but an error
   * @throws ProviderError, or the reason of the call's signal
   */
  async document(call: UpstreamCall): Promise<unknown> {
    const exchange = this.exchangeOf(call);
    try {
      const answer = await exchange.send(JSON_TYPE);
      await this.requireSuccess(answer, call, exchange);
      return await documentOf(answer, call, exchange, this.turns);
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
   * @param decoder reads the events
   * @returns what the decoder reads of them; the iteration throws ProviderError, or the reason of the call's signal
   */
  events<Value>(callOf: () => UpstreamCall, decoder: StreamDecoder<Value>): AsyncGenerator<Value, void, undefined> {
    return upstreamEvents(
      () => {
        const call = callOf();
        const exchange = this.exchangeOf(call);
        const { organizationId, upstream, signal, memory = UNCOUNTED_MEMORY } = call;
        const body = this.eventBody(exchange, call, decoder.longestEvent);
        return { exchange, timeouts: upstream.timeouts, organizationId, signal, memory, body };
      },
      decoder,
      this.turns,
    );
  }

  /**
   * Asks for audio.
   *
   * @returns once the head of the answer is there; the bytes have to be iterated, which ends the request
   * @throws ProviderError for a refusal, and for what is no audio, or the reason of the call's signal
   */
  async audio(call: UpstreamCall): Promise<SpokenAudio> {
    const exchange = this.exchangeOf(call);
    try {
      const answer = await exchange.send('*/*');
      await this.requireSuccess(answer, call, exchange);
      const header = answer.headers['content-type'];
      if (!mayBeAudio(mediaTypeOf(header))) {
        // Some servers tell errors with a status of success.
        if (mayBeJson(mediaTypeOf(header))) await documentOf(answer, call, exchange, this.turns);
        throw new ProviderError('invalid', 'The provider answered with another media type than was asked for.');
      }
      return { mediaType: audioTypeOf(header), pieces: piecesOf(answer, call, exchange) };
    } catch (error) {
      const failure = exchange.failureOf(error);
      exchange.end();
      throw failure;
    }
  }

  private exchangeOf(call: UpstreamCall): UpstreamExchange {
    return new UpstreamExchange(call, this.origins, this.turns, this.authorization, this.via);
  }

  /**
   * Sends the request. Some servers have no streams, and answer with a document: that is one event then, and has its bounds.
   *
   * @param longest the longest event, in UTF-16 code units
   * @throws ProviderError unless events are the answer, or JSON
   */
  private async eventBody(
    exchange: UpstreamExchange,
    call: UpstreamCall,
    longest = MAXIMUM_EVENT_LENGTH,
  ): Promise<EventBody> {
    const answer = await exchange.send(EVENT_STREAM);
    await this.requireSuccess(answer, call, exchange);
    const type = mediaTypeOf(answer.headers['content-type']);
    if (type === AMAZON_EVENT_STREAM) return { body: answer.body, events: new AmazonEvents() };
    const events = new ServerSentEvents(longest);
    if (mayBeEvents(type)) return { body: answer.body, events };
    const whole = await documentBody(answer, call, exchange, longest);
    return { body: Readable.from([Buffer.from(asEventStream(decoded(whole)))], { objectMode: false }), events };
  }

  /** @throws ProviderError for every status but those of success */
  private async requireSuccess(answer: OutgoingAnswer, call: UpstreamCall, exchange: UpstreamExchange): Promise<void> {
    await requireSuccess(answer, call, exchange);
    call.headed?.(answer.headers);
  }

  /** Ends every connection. Requests have been answered by then. */
  async onApplicationShutdown(): Promise<void> {
    await this.origins.close();
  }
}

/** The pieces of a body as they come. Only the time in which they are waited for counts. */
async function* piecesOf(
  { body }: OutgoingAnswer,
  { upstream: { timeouts } }: UpstreamCall,
  exchange: UpstreamExchange,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { limit } = exchange;
  try {
    limit.start(timeouts.firstEvent, 'nothing of its answer');
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      limit.stop();
      exchange.receivedBytes += piece.length;
      yield piece;
      limit.start(timeouts.gap, 'no more of its answer');
    }
  } catch (error) {
    throw exchange.failureOf(error);
  } finally {
    exchange.end();
  }
}

/** @throws ProviderError for every status but those of success, in the provider's words if it gave any */
async function requireSuccess(
  { status, headers, body }: OutgoingAnswer,
  { upstream, memory = UNCOUNTED_MEMORY }: UpstreamCall,
  exchange: UpstreamExchange,
): Promise<void> {
  if (status < 300) return;
  if (status < 400) {
    throw new ProviderError('invalid', 'The provider answered with a redirect, which is not followed.', { status });
  }
  const retryAfter = retryAfterOf(headers, status, Date.now());
  const word = amazonClassOf(headers['x-amzn-errortype']);
  const circumstances = {
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(word === undefined ? {} : { word }),
  };
  const type = mediaTypeOf(headers['content-type']);
  const text = await refusalText(body, exchange, upstream.timeouts.gap, memory);
  const document = parsed(text);
  throw (
    providerErrorOf(document, upstream, circumstances) ??
    refusal(type === 'text/plain' && text.trim() !== '' ? text.trim() : undefined, upstream, circumstances)
  );
}

/** What can be read of a refusal; its status says enough where nothing can. */
async function refusalText(
  body: OutgoingAnswer['body'],
  { limit }: UpstreamExchange,
  gap: number,
  memory: AnswerMemory,
): Promise<string> {
  // All of it at once: to wait for memory, or to end another answer, is not worth it.
  const hasRoom = memory.tryHold(MAXIMUM_REFUSAL_BYTES);
  if (!hasRoom) return '';
  try {
    const wait = Math.min(gap, MAXIMUM_REFUSAL_MS);
    const bounds = { largest: MAXIMUM_REFUSAL_BYTES, gap: wait, longest: wait, memory: UNCOUNTED_MEMORY };
    return decoded(await wholeAnswer(body, limit, bounds));
  } catch {
    return '';
  } finally {
    memory.release(MAXIMUM_REFUSAL_BYTES);
  }
}

/** @throws ProviderError unless it is a document of JSON, and no error */
async function documentOf(
  answer: OutgoingAnswer,
  call: UpstreamCall,
  exchange: UpstreamExchange,
  turns: LoopTurns,
): Promise<unknown> {
  const { upstream, organizationId, signal, memory = UNCOUNTED_MEMORY } = call;
  const largest = upstream.isPrivate === true ? MAXIMUM_PRIVATE_ANSWER_BYTES : MAXIMUM_ANSWER_BYTES;
  const whole = await documentBody(answer, call, exchange, largest);
  call.measured?.(whole.length);
  const turn = async (): Promise<void> => {
    if (whole.length < LARGE_DOCUMENT) return;
    await turns.next(organizationId);
    signal.throwIfAborted();
  };
  await turn();
  const text = whole.length < LARGE_DOCUMENT ? decoded(whole) : await decodedInTurns(whole, turn);
  // They would take as much memory again while it is parsed.
  whole.pieces.length = 0;
  await turn();
  const extent = extentWithin(text, DOCUMENT_BOUNDS);
  if (typeof extent === 'string') throw new ProviderError('invalid', 'The provider’s answer is not JSON.');
  await turn();
  const weight = heapBytesOf(text, extent);
  if (!memory.tryHold(weight)) await memory.hold(weight);
  await turn();
  const value = parsedIfJson(text);
  if (value === undefined) throw new ProviderError('invalid', 'The provider’s answer is not JSON.');
  await turn();
  if (mayHavePrototypeField(text)) removePrototypeFields(value);
  memory.release(whole.length);
  const error = providerErrorOf(value, upstream);
  if (error !== undefined) throw error;
  // For who reads it.
  await turn();
  return value;
}

/** @param largest in bytes @throws ProviderError unless its media type is one of JSON */
async function documentBody(
  { headers, body }: OutgoingAnswer,
  { upstream: { timeouts }, memory = UNCOUNTED_MEMORY }: UpstreamCall,
  exchange: UpstreamExchange,
  largest: number,
): Promise<WholeAnswer> {
  if (!mayBeJson(mediaTypeOf(headers['content-type']))) {
    throw new ProviderError('invalid', 'The provider answered with another media type than was asked for.');
  }
  const came = (bytes: number): void => void (exchange.receivedBytes += bytes);
  return wholeAnswer(body, exchange.limit, { largest, gap: timeouts.gap, memory, came });
}

function decoded({ pieces, length }: WholeAnswer): string {
  return withoutMark(Buffer.concat(pieces, length)).toString();
}

/** Decodes a long text piece by piece. @param turn waits until the next step may hold the event loop */
async function decodedInTurns({ pieces }: WholeAnswer, turn: () => Promise<void>): Promise<string> {
  // It leaves out the mark, and keeps what a piece has cut of a character.
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let length = 0;
  for (const piece of pieces) {
    texts.push(decoder.decode(piece, { stream: true }));
    length += piece.length;
    if (length < DECODED_AT_ONCE) continue;
    length = 0;
    await turn();
  }
  texts.push(decoder.decode());
  return texts.join('');
}

function withoutMark(bytes: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return bytes.subarray(0, length).equals(BYTE_ORDER_MARK) ? bytes.subarray(length) : bytes;
}
