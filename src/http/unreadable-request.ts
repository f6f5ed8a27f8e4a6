import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope } from './errors/error-envelope.js';

/** What Node says of bytes that it cannot read. */
interface ParserFault extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The first line of a request (RFC 9112, section 3), whatever its method. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r\n/;

/** How long a client has to read the answer before the connection is cut, in milliseconds. */
const LINGER_MS = 1_000;

/** Answers, in the envelope, bytes that Node cannot read as an HTTP request, and closes the connection. */
export function answerUnreadableRequest(fault: ParserFault, socket: Duplex): void {
  // ECONNRESET: nobody is left to answer.
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(fault);
    return;
  }
  if (hasUnknownMethod(fault)) {
    answerOn(socket, 404, { reason: 'route_not_found' });
    return;
  }
  const status = STATUS_BY_CODE[fault.code ?? ''] ?? 400;
  const issues = [{ path: '', message: 'the request is not well-formed HTTP' }];
  answerOn(socket, status, { reason: 'unreadable_request', ...(status === 400 && { issues }) });
}

/** Answers a request for a tunnel (the method CONNECT), of which Node makes no response that could be answered on. */
export function answerTunnelRequest(_request: IncomingMessage, socket: Duplex): void {
  answerOn(socket, 404, { reason: 'route_not_found' });
}

function hasUnknownMethod({ code, rawPacket }: ParserFault): boolean {
  return code === 'HPE_INVALID_METHOD' && rawPacket !== undefined && REQUEST_LINE.test(rawPacket.toString('latin1'));
}

function answerOn(socket: Duplex, status: number, metadata: Record<string, unknown>): void {
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
}
