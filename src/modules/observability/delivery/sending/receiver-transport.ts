import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Environment } from '../../../../config/environment.js';
import { AllowedAddresses } from '../../../../http/addresses/allowed-addresses.js';
import { beginningOf } from '../../../../http/outgoing/outgoing-answer.js';
import { OutgoingClient } from '../../../../http/outgoing/outgoing-client.js';
import type { ReceiverAnswer, ReceiverRequest, ReceiverTransport } from '../destination-adapter.js';
import { ReceiverNotAllowed, ReceiverUnreachable } from '../verdicts.js';

/** Time limits in milliseconds: of a connection, and of a request whose adapter names none. */
const CONNECT_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 15_000;

/** How long an idle connection is kept, in milliseconds: its address was checked when it was made. */
const KEEP_ALIVE_MS = 30_000;

/** How much of an answer is read, in bytes; of its head, what undici takes. */
const MAXIMUM_BODY = 65_536;
const MAXIMUM_HEAD = 16_384;

/**
 * Sends requests to receivers over HTTP. The address that a name leads to is checked for each connection, and the connection is made to
 * the address that was checked, so that a name that leads elsewhere by now is of no use (docs/interface/destinations.md#addresses).
 * Redirects are not followed, and at most 64 KiB of an answer are read.
 */
@Injectable()
export class HttpReceiverTransport implements OnApplicationShutdown {
  private readonly client: OutgoingClient;

  constructor(environment: Environment) {
    this.client = new OutgoingClient(environment, {
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      keepAliveMs: KEEP_ALIVE_MS,
      maximumHead: MAXIMUM_HEAD,
      addresses: {
        allowed: new AllowedAddresses(environment.allowPrivateDestinations),
        refusal: () => new ReceiverNotAllowed('The address leads into a private network.'),
      },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.client.close();
  }

  endingWith(signal: AbortSignal): ReceiverTransport {
    return { send: (request) => this.send(request, signal) };
  }

  private async send(request: ReceiverRequest, signal: AbortSignal): Promise<ReceiverAnswer> {
    const { method, url, headers, body, timeoutMs = REQUEST_TIMEOUT_MS } = request;
    // One limit for all of it, so that a receiver that trickles takes no longer.
    const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    try {
      const answer = await this.client.send(url, { method, headers, body, signal: ending });
      const { bytes } = await beginningOf(answer.body, MAXIMUM_BODY);
      return {
        status: answer.status,
        headers: Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(', ') : value,
          ]),
        ),
        body: bytes.toString('utf8'),
        bytes,
      };
    } catch (error) {
      throw receiverError(error);
    }
  }
}

/** What a failure of the network says, without the address. */
function receiverError(error: unknown): unknown {
  if (error instanceof ReceiverNotAllowed || error instanceof ReceiverUnreachable) return error;
  const { name, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  if (cause instanceof ReceiverNotAllowed) return cause;
  if (name === 'TimeoutError') return new ReceiverUnreachable('The receiver did not answer in time.');
  if (name === 'AbortError') return new ReceiverUnreachable('The service stops.');
  if (code === 'UND_ERR_INVALID_ARG') return new ReceiverNotAllowed('A header or the address cannot be sent.');
  return new ReceiverUnreachable(`The receiver could not be reached (${code ?? name}).`);
}
