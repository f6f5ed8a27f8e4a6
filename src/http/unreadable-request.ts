import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ClientConnections } from './client-connections.js';
import { BadRequestError } from './errors/bad-request-error.js';
import type { DomainErrorClass } from './errors/define-error.js';
import type { DomainError } from './errors/domain-error.js';
import { errorEnvelope } from './errors/error-envelope.js';
import {
  ChunkExtensionsTooLarge,
  RequestHeadTooLarge,
  RequestTimedOut,
  RouteNotFound,
  UNREADABLE_REQUEST,
} from './errors/request.errors.js';
import type { ServiceLogger } from '../telemetry/logging/service-logger.js';
import type { Metrics } from '../telemetry/metrics/metrics.js';

/** The error of Node.js for bytes that it cannot parse. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  /** The number of bytes of the packet that were parsed. */
  readonly bytesParsed?: number;
}

const ERROR_BY_CODE: Readonly<Record<string, DomainErrorClass>> = {
  HPE_HEADER_OVERFLOW: RequestHeadTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ChunkExtensionsTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: RequestTimedOut,
};

/** Matches the first line of a request (RFC 9112, section 3), with any method. */
const REQUEST_LINE = /[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r\n/y;

/** How long a client has to read the response before the connection is closed, in milliseconds. */
const LINGER_MS = 1_000;

/**
 * Makes a server respond with the error envelope to bytes that Node.js cannot parse as a request, and close the connection.
 * Each response is logged with the error code of Node.js, without the bytes. Earlier requests on the same connection are
 * processed and answered first.
 *
 * @param metrics counts these responses, if metrics are enabled
 */
export function answerUnreadableRequests(
  server: Server,
  connections: ClientConnections,
  logger: ServiceLogger,
  metrics?: Metrics,
): void {
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    // After ECONNRESET there is no client to respond to.
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy(error);
      return;
    }
    connections.afterAnswers(socket, () => {
      if (!socket.writable) return;
      const answered = errorOf(error);
      const { status } = answered;
      const clientAddress = addressOf(socket);
      const requestId = answerOn(socket, answered);
      const fields = { request_id: requestId, status, cause: error.code, client_address: clientAddress };
      logger.event('unreadable request', fields);
      metrics?.unreadableRequest(status);
    });
  });
  // For a CONNECT request, Node.js creates no response object.
  server.on('connect', ({ method = '', url = '' }: IncomingMessage, socket: Duplex) => {
    const clientAddress = addressOf(socket);
    const answered = new RouteNotFound();
    const requestId = answerOn(socket, answered);
    const [path = ''] = url.split('?');
    logger.request({ requestId, method, path, status: answered.status, durationMs: 0, clientAddress });
    metrics?.request(undefined, answered.status, 0);
  });
}

function errorOf(error: ParserError): DomainError {
  if (hasUnknownMethod(error)) return new RouteNotFound();
  const Known = ERROR_BY_CODE[error.code ?? ''];
  if (Known !== undefined) return new Known();
  return BadRequestError.of([UNREADABLE_REQUEST.at('', 'the request is not well-formed HTTP')]);
}

function hasUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return false;
  const text = rawPacket.toString('latin1');
  // The packet may begin with requests that were parsed.
  REQUEST_LINE.lastIndex = text.lastIndexOf('\n', bytesParsed - 1) + 1;
  return REQUEST_LINE.test(text);
}

/** The peer address of a connection; behind a proxy, that of the proxy. */
function addressOf(socket: Duplex): string | null {
  return (socket as Partial<Socket>).remoteAddress ?? null;
}

/** @returns the request id of the response */
function answerOn(socket: Duplex, { status, metadata }: DomainError): string {
  // Node.js no longer handles errors of a CONNECT socket, and an unhandled error would end the process.
  socket.on('error', () => socket.destroy());
  const requestId = randomUUID();
  const text = JSON.stringify(errorEnvelope(status, requestId, metadata));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
  );
  // Remaining input is read and discarded for a while; otherwise the client's system could discard the response.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
  return requestId;
}
