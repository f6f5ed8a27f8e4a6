import type { Socket } from 'node:net';
import { buildConnector, Client } from 'undici';
import { hostOf } from '../addresses/address-form.js';
import type { EgressProxy } from './egress-proxies.js';
import { passOverContinue, type WatchedParser, watchRequests } from './request-watch.js';

/** How connections are made. The time limit of making one is in milliseconds. */
export type ConnectorOptions = buildConnector.BuildOptions & {
  readonly timeout: number;
  /** The clock by which requests on connections are watched, in milliseconds; by default that of the process. */
  readonly now?: (() => number) | undefined;
};

/** A proxy does not connect to a server, or there is no connection to the proxy. */
export class ProxyFailed extends Error {
  /** Its own: after undici's code for a socket that was closed, undici would connect again and again. */
  readonly code = 'ERR_PROXY';
}

/** The parser of undici for the answers on a connection, as far as it is used here. */
interface AnswerParser extends WatchedParser {
  /** Whether it waits for the reader of a body. */
  paused: boolean;
  /** Goes on with what has come. */
  resume(): void;
}

/**
 * Makes connections that the server may close at any time. When a connection ends while the parser of undici waits for a reader, and
 * its answer says that it ends with the connection, undici 7 fails an assertion that nothing can catch, which would end the process
 * (https://github.com/nodejs/undici/issues/5360; undici 8, which has no such fault, needs Node.js 22). So the parser goes on before
 * undici hears of the end: what it has is a piece or two, which wait for the reader in memory. What is known of the requests on a
 * connection beyond what undici tells is {@link watchRequests}.
 *
 * @param proxy the proxy that connections go through; undefined for none
 */
export function connectorOf(
  { now = () => performance.now(), ...options }: ConnectorOptions,
  proxy: EgressProxy | undefined,
): buildConnector.connector {
  const connect = proxy === undefined ? buildConnector(options) : connectorThrough(proxy, options);
  return (target, callback) =>
    connect(target, (...result) => {
      const [error, socket] = result;
      // Of a failure undici gives nothing but the error.
      if (error === null) {
        goOnBeforeEnd(socket);
        whenParsed(socket, (parser) => {
          watchRequests(socket, parser, now);
          passOverContinue(parser);
        });
      }
      callback(...result);
    });
}

/**
 * Connects to a proxy for a server of http, which gets whole addresses in requests then (RFC 9112, section 3.2.2), and through a tunnel of
 * it to a server of https (RFC 9110, section 9.3.6).
 */
function connectorThrough(proxy: EgressProxy, options: ConnectorOptions): buildConnector.connector {
  const connectToProxy = buildConnector({ timeout: options.timeout });
  const connect = buildConnector(options);
  const url = new URL(proxy.origin);
  const { protocol, host, port } = url;
  return (target, callback) => {
    if (target.protocol === 'http:') {
      connectToProxy({ protocol, hostname: hostOf(url), host, port }, callback);
      return;
    }
    tunnelTo(target, proxy, options.timeout).then(
      (httpSocket) => connect({ ...target, httpSocket }, callback),
      (error: unknown) => callback(error as Error, null),
    );
  };
}

/** Asks a proxy for a connection to a server. @throws ProxyFailed */
async function tunnelTo(
  { hostname, port }: buildConnector.Options,
  { origin, authorization }: EgressProxy,
  timeoutMs: number,
): Promise<Socket> {
  const client = new Client(origin, { connect: { timeout: timeoutMs } });
  const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port || '443'}`;
  try {
    const { statusCode, socket } = await client.connect({
      path: authority,
      headers: { host: authority, ...(authorization !== undefined && { 'proxy-authorization': authorization }) },
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (statusCode >= 200 && statusCode < 300) return socket as Socket;
    socket.on('error', () => undefined).destroy();
    throw new ProxyFailed(`the proxy answered ${statusCode}`);
  } catch (error) {
    if (error instanceof ProxyFailed) throw error;
    throw new ProxyFailed('the proxy cannot be reached', { cause: error });
  } finally {
    // The connection is no longer its own.
    void client.close();
  }
}

/** The listeners are in place before those of undici, and are called before them. */
function goOnBeforeEnd(socket: Socket): void {
  socket.on('end', () => {
    const parser = parserOf(socket);
    // Resuming reads what has arrived; the parser pauses again if its reader is still behind.
    while (parser?.paused === true && !socket.destroyed) parser.resume();
  });
  for (const event of ['error', 'close']) {
    socket.on(event, () => {
      const parser = parserOf(socket);
      // Nothing can be read any more; without the rest the answer counts as broken off.
      if (parser) parser.paused = false;
    });
  }
}

/** Calls a function when a connection has its parser: undici makes it before it listens for bytes. */
function whenParsed(socket: Socket, act: (parser: AnswerParser) => void): void {
  const look = (event: string): void => {
    const parser = event === 'readable' ? parserOf(socket) : undefined;
    if (!parser) return;
    socket.off('newListener', look);
    act(parser);
  };
  socket.on('newListener', look);
}

/** @returns nothing before the first request, and after the last one */
function parserOf(socket: Socket): AnswerParser | null | undefined {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  if (symbol === undefined) return undefined;
  return (socket as unknown as Record<symbol, AnswerParser | null>)[symbol];
}
