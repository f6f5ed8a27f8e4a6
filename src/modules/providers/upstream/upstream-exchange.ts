import { Readable } from 'node:stream';
import { drop, type OutgoingAnswer } from '../../../http/outgoing/outgoing-answer.js';
import type { OutgoingPool, PoolRequest } from '../../../http/outgoing/outgoing-client.js';
import { wasNeverRead } from '../../../http/outgoing/request-watch.js';
import { amazonClassOf, statusOfAmazonClass } from '../../codecs/errors/amazon-errors.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import type { SignedRequest } from '../credentials/aws-signature.js';
import type { Credential, IssuedCredential, UpstreamAuthorization } from '../credentials/upstream-authorization.js';
import type { LoopTurns } from '../../../concurrency/loop-turns.js';
import { decodedBody } from './decoded-body.js';
import { type RequestContent, requestContent } from './request-bytes.js';
import { transportErrorOf } from './transport-error.js';
import type { UpstreamCall } from './upstream-call.js';
import type { UpstreamOrigins } from './upstream-origins.js';
import type { ViaHeader } from './via-header.js';
import { WaitDeadline } from './wait-deadline.js';

/** The piece of a body that is handed to a connection at once, in bytes. */
const PIECE = 65_536;

/** One request to a provider and its answer. Its creator calls `end` once, whatever happened, so that nothing stays open. */
export class UpstreamExchange {
  /** Ends the exchange when the provider lets it wait too long. */
  readonly limit: WaitDeadline;
  /** How much of a whole answer has come, in bytes. */
  receivedBytes = 0;
  private readonly controller = new AbortController();
  private readonly leave: () => void;
  private body: Readable | undefined;
  private isRepeated = false;
  /** What a token service has issued for what was sent last. */
  private issued: IssuedCredential | undefined;

  constructor(
    private readonly call: UpstreamCall,
    private readonly origins: UpstreamOrigins,
    private readonly turns: LoopTurns,
    private readonly authorization: UpstreamAuthorization,
    private readonly via: ViaHeader,
  ) {
    this.limit = new WaitDeadline((error) => this.controller.abort(error));
    this.leave = () => this.controller.abort(call.signal.reason);
    call.signal.addEventListener('abort', this.leave);
  }

  /**
   * Sends the request. Connecting, sending and waiting for the head may take as long as the two limits say together. Where the provider
   * does not accept a token that was issued for an earlier request, the request is retried with another one.
   *
   * @param accept the media type that is asked for
   * @returns the answer with its plain bytes, as soon as its head is there
   */
  async send(accept: string): Promise<OutgoingAnswer> {
    const { upstream, signal } = this.call;
    signal.throwIfAborted();
    this.limit.start(upstream.timeouts.connect + upstream.timeouts.headers, 'no answer');
    const { status, headers, body } = await this.untilAborted(this.dispatchAccepted(accept));
    this.limit.stop();
    // An encoding that is not known leaves the body to be destroyed.
    this.body = body;
    this.body = decodedBody(body, headers['content-encoding']);
    return { status, headers, body: this.body };
  }

  /** Reads the short rest of an answer in the background, so that its connection can be used again. */
  leaveRest(): void {
    if (this.body !== undefined) drop(this.body);
    this.body = undefined;
  }

  /** Ends the exchange. Its connection is closed too, unless the answer was read to its end. */
  end(): void {
    this.limit.end();
    this.call.signal.removeEventListener('abort', this.leave);
    this.body?.destroy();
  }

  /** @returns what to throw for what was thrown within the exchange */
  failureOf(thrown: unknown): unknown {
    if (this.call.signal.aborted) return this.call.signal.reason;
    const failure = transportErrorOf(thrown, this.body !== undefined);
    if (failure instanceof ProviderError) {
      failure.receivedBytes = this.receivedBytes;
      failure.hasHead = this.body !== undefined;
      failure.wasRepeated = this.isRepeated;
    }
    return failure;
  }

  private async dispatchAccepted(accept: string): Promise<OutgoingAnswer> {
    const answer = await this.dispatch(accept);
    if (this.forget(answer)?.isKept !== true) return answer;
    drop(answer.body);
    const another = await this.dispatch(accept);
    this.forget(another);
    return another;
  }

  /** Forgets what was issued for a request if the provider has not accepted it. @returns that, or undefined where it has */
  private forget(answer: OutgoingAnswer): IssuedCredential | undefined {
    if (this.issued === undefined || !refusesCredential(answer)) return undefined;
    this.issued.drop();
    return this.issued;
  }

  /** The place among the open calls is given back when undici has ended the request, which can be after `end`. */
  private async dispatch(accept: string): Promise<OutgoingAnswer> {
    const { upstream, path, headers, body, sent, organizationId, via } = this.call;
    const content = body === undefined ? null : await requestContent(body, () => this.turns.next(organizationId));
    const url = new URL(upstream.baseUrl);
    const target = `${url.pathname === '/' ? '' : url.pathname}${path}${path.includes('?') ? '' : url.search}`;
    const method = content === null ? 'GET' : 'POST';
    const credential = await this.credentialFor({ method, url: `${url.origin}${target}`, content });
    const proxy = this.origins.proxyFor(url);
    const place = this.origins.take(
      upstream,
      url.origin,
      organizationId,
      proxy instanceof Promise ? await proxy : proxy,
    );
    // The body of each try is its own.
    const request = (): PoolRequest => ({
      method,
      path: target,
      headers: {
        accept,
        'accept-encoding': 'identity',
        'user-agent': 'gatehouse',
        via: this.via.sentAfter(via),
        ...(content === null ? {} : { 'content-type': content.type, 'content-length': String(content.length) }),
        ...headers,
        ...credential,
      },
      body: content && bodyOf(content, sent),
      signal: this.controller.signal,
    });
    try {
      const answer = await this.dispatchOn(place.pool, request);
      answer.body.once('close', () => place.leave());
      return answer;
    } catch (error) {
      place.leave();
      throw error;
    }
  }

  /** Sends a request, and retries it on a fresh connection where the connection had been given up by the provider before it got the request. */
  private async dispatchOn(pool: OutgoingPool, request: () => PoolRequest): Promise<OutgoingAnswer> {
    try {
      return await pool.send(request());
    } catch (error) {
      if (this.isRepeated || !wasNeverRead(error) || this.controller.signal.aborted) throw error;
      this.isRepeated = true;
      this.call.repeated?.();
      return pool.sendAlone(request());
    }
  }

  /** The headers that show who calls. What is issued for them is not shown in any message. */
  private async credentialFor(request: SignedRequest): Promise<Readonly<Record<string, string>>> {
    const given = this.authorization.of(credentialOf(this.call), request, this.controller.signal);
    const { headers, secrets, issued } = given instanceof Promise ? await given : given;
    this.issued = issued;
    for (const secret of secrets) this.call.upstream.issuedSecrets?.add(secret);
    return headers;
  }

  /** undici looks at the signal only once it has a connection, which a provider that hangs does not give it. */
  private untilAborted<T>(answer: Promise<T>): Promise<T> {
    const { signal } = this.controller;
    return new Promise<T>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      answer.then(resolve, reject);
    });
  }
}

/**
 * Whether a provider has not accepted who calls. One that knows who calls, and refuses a model to it (403), says nothing of its token,
 * which others use.
 */
function refusesCredential({ status, headers }: OutgoingAnswer): boolean {
  return status === 401 || statusOfAmazonClass(amazonClassOf(headers['x-amzn-errortype'])) === 401;
}

function credentialOf({ upstream, keyHeader }: Pick<UpstreamCall, 'upstream' | 'keyHeader'>): Credential {
  return { scheme: upstream.credential, apiKey: upstream.apiKey, isOwn: upstream.isOwnKey, keyHeader };
}

/**
 * A body that is sent in pieces, as fast as the provider reads. A single piece is sent as it is where no `taken` has to be called.
 *
 * @param taken is called when the connection has taken all of it
 */
function bodyOf({ pieces }: RequestContent, taken: (() => void) | undefined): Readable | Uint8Array {
  if (taken === undefined && pieces.length === 1) return pieces[0]!;
  const portions = portionsOf(pieces);
  const body = new Readable({
    // A portion is made when the one before it is taken.
    highWaterMark: 1,
    read: () => void body.push(portions.next().value ?? null),
  });
  return taken === undefined ? body : body.once('end', taken);
}

function* portionsOf(pieces: readonly Uint8Array[]): Generator<Uint8Array, undefined> {
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += PIECE) yield piece.subarray(start, start + PIECE);
  }
}
