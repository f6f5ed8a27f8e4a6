import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connections } from './connections.js';
import { errorEnvelope } from './errors/error-envelope.js';
import type { ServiceLogger } from './logging/service-logger.js';
import type { Metrics } from './metrics/metrics.js';

/** What Node says of bytes that it cannot read. */
interface ParserFault extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  /** How far into the packet Node has got. */
  readonly bytesParsed?: number;
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The first line of a request (RFC 9112, section 3), whatever its method, from where a search begins. */
const REQUEST_LINE = /[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r\n/y;

/** How long a client has to read the answer before the connection is cut, in milliseconds. */
const LINGER_MS = 1_000;

/** What is answered to what is no request. */
interface Refusal {
  readonly status: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const NOT_FOUND: Refusal = { status: 404, metadata: { reason: 'route_not_found' } };

/**
 * Lets a server answer, in the envelope, what Node makes no request of, and closes the connection. Each answer has its log
 * line: with Node's own word for what is wrong, and nothing of the bytes themselves. Requests that came before on the same
 * connection are answered first: what they asked for is done.
 *
 * @param metrics where such answers are counted, if they are
 */
export function answerUnreadableRequests(
  server: Server,
  connections: Connections,
  logger: ServiceLogger,
  metrics?: Metrics,
): void {
  server.on('clientError', (fault: ParserFault, socket: Duplex) => {
    // ECONNRESET: nobody is left to answer.
    if (fault.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy(fault);
      return;
    }
    connections.afterAnswers(socket, () => {
      if (!socket.writable) return;
      const refusal = refusalOf(fault);
      const clientAddress = addressOf(socket);
      const requestId = answerOn(socket, refusal);
      logger.unreadableRequest({ requestId, status: refusal.status, cause: fault.code, clientAddress });
      metrics?.unreadableRequest(refusal.status);
    });
  });
  // A request for a tunnel, of which Node makes no response that could be answered on.
  server.on('connect', ({ method = '', url = '' }: IncomingMessage, socket: Duplex) => {
    const clientAddress = addressOf(socket);
    const requestId = answerOn(socket, NOT_FOUND);
    const [path = ''] = url.split('?');
    logger.request({ requestId, method, path, status: NOT_FOUND.status, durationMs: 0, clientAddress });
    metrics?.request(undefined, NOT_FOUND.status, 0);
  });
}

function refusalOf(fault: ParserFault): Refusal {
  if (hasUnknownMethod(fault)) return NOT_FOUND;
  const status = STATUS_BY_CODE[fault.code ?? ''] ?? 400;
  const issues = [{ path: '', message: 'the request is not well-formed HTTP' }];
  return { status, metadata: { reason: 'unreadable_request', ...(status === 400 && { issues }) } };
}

function hasUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParserFault): boolean {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return false;
  const text = rawPacket.toString('latin1');
  // Requests that were read may stand before it in the packet.
  REQUEST_LINE.lastIndex = text.lastIndexOf('\n', bytesParsed - 1) + 1;
  return REQUEST_LINE.test(text);
}

/** Where a connection comes from: of a proxy in front of the service, the proxy's own address. */
function addressOf(socket: Duplex): string | null {
  return (socket as Partial<Socket>).remoteAddress ?? null;
}

/** @returns the id that the answer carries */
function answerOn(socket: Duplex, { status, metadata }: Refusal): string {
  // Node has let go of the socket of a tunnel, and an error on one that nobody listens to would end the process.
  socket.on('error', () => socket.destroy());
  const requestId = randomUUID();
  const text = JSON.stringify(errorEnvelope(status, requestId, metadata));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
  );
  // What the client still sends is read and dropped, or its system would drop the answer; and then not for ever.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  return requestId;
}
