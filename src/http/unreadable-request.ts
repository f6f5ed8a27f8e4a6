import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorEnvelope } from './errors/error-envelope.js';

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Answers, in the envelope, bytes that Node cannot read as an HTTP request, and closes the connection. */
export function answerUnreadableRequest(fault: NodeJS.ErrnoException, socket: Socket): void {
  // ECONNRESET: nobody is left to answer.
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(fault);
    return;
  }
  const status = STATUS_BY_CODE[fault.code ?? ''] ?? 400;
  const requestId = randomUUID();
  const text = JSON.stringify(errorEnvelope(status, requestId, { reason: 'unreadable_request' }));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${text}`,
  );
}
