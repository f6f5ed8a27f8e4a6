import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { parseAddress } from '../../../http/addresses/address-form.js';
import { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import { type AnswerMemory, UNCOUNTED_MEMORY } from '../../../http/input/request-memory.js';
import { drop } from '../../../http/outgoing/outgoing-answer.js';
import { OutgoingClient } from '../../../http/outgoing/outgoing-client.js';
import { imageHeadOf } from '../../codecs/chat/image-head.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';

/** Time limits in milliseconds: of a connection, and of a request with its answer. */
const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 60_000;

/** How long an idle connection is kept, in milliseconds: its address was checked when it was made. */
const KEEP_ALIVE_MS = 10_000;

/** How a PDF begins in base64. */
const PDF = 'JVBERi0';

/** How much of the head of an answer is read, in bytes. */
const MAXIMUM_HEAD = 16_384;

/** The largest image, in bytes. */
const MAXIMUM_IMAGE = 32 * 1024 * 1024;

interface Fetching {
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Holds the image; without one nothing is counted. */
  readonly memory?: AnswerMemory;
}

/**
 * Fetches images of which only the address is given, without any credential: over https, without redirects, for at most a minute and
 * 32 MiB, and only at public addresses, which are checked for each connection (docs/interface/images.md#addresses).
 * ALLOW_PRIVATE_IMAGE_ADDRESSES allows private addresses and http as well.
 */
@Injectable()
export class FetchedImages implements OnApplicationShutdown {
  private readonly client: OutgoingClient;
  private readonly allowed: AllowedAddresses;

  constructor(environment: Environment) {
    this.allowed = new AllowedAddresses(environment.allowPrivateImageAddresses);
    this.client = new OutgoingClient(environment, {
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      keepAliveMs: KEEP_ALIVE_MS,
      maximumHead: MAXIMUM_HEAD,
      addresses: { allowed: this.allowed, refusal: () => notFetched('leads into a private network') },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }

  /**
   * Fetches an image.
   *
   * @returns its base64
   * @throws ProviderError for an address that is not allowed, and for what is no image; the reason of the signal
   */
  async at(url: string, fetching: Fetching): Promise<string> {
    return (await this.fetched(url, fetching, (data) => imageHeadOf(data)?.mediaType)).data;
  }

  /**
   * Fetches an image or a PDF.
   *
   * @returns it as a data URL
   * @throws as {@link at} does
   */
  async mediumAt(url: string, fetching: Fetching): Promise<string> {
    const { data, type } = await this.fetched(url, fetching, (read) =>
      read.startsWith(PDF) ? 'application/pdf' : imageHeadOf(read)?.mediaType,
    );
    return `data:${type};base64,${data}`;
  }

  /** @param typeOf the media type of data in base64; undefined for what is not wanted */
  private async fetched(
    url: string,
    { signal, memory = UNCOUNTED_MEMORY }: Fetching,
    typeOf: (data: string) => string | undefined,
  ): Promise<{ readonly data: string; readonly type: string }> {
    const { issue } = parseAddress(url, 'url', this.allowed);
    if (issue !== undefined) throw notFetched(issue);
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    try {
      const { status, body } = await this.client.send(url, {
        headers: { accept: 'image/*' },
        signal: AbortSignal.any([signal, timeout]),
      });
      if (status !== 200) {
        drop(body);
        throw notFetched(`answered ${status}`);
      }
      const data = await base64Of(body, memory);
      const type = typeOf(data);
      if (type === undefined) throw notFetched('has no image');
      return { data, type };
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error, timeout.aborted);
    }
  }
}

async function base64Of(body: AsyncIterable<Buffer>, memory: AnswerMemory): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of body) {
    length += piece.length;
    if (length > MAXIMUM_IMAGE) throw notFetched(`has more than ${MAXIMUM_IMAGE} bytes`);
    if (!memory.tryHold(piece.length)) await memory.hold(piece.length);
    pieces.push(piece);
  }
  const data = Buffer.concat(pieces, length).toString('base64');
  if (!memory.tryHold(data.length)) await memory.hold(data.length);
  memory.release(length);
  return data;
}

/** Nothing of the address is told: it may be signed. */
function notFetched(why: string): ProviderError {
  return new ProviderError('invalid', `The address of an image ${why}.`);
}

function failureOf(error: unknown, isTimeout: boolean): unknown {
  if (isTimeout) return notFetched('did not answer in time');
  const { code, cause } = error as NodeJS.ErrnoException & { readonly cause?: unknown };
  if (cause instanceof ProviderError) return cause;
  return typeof code === 'string' ? notFetched(`cannot be reached (${code})`) : error;
}
