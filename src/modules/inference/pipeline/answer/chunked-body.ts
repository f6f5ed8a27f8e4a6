import type { ServerResponse } from 'node:http';

/**
 * Writes a chunk of an answer of unknown length (RFC 9112, section 7.1) in one piece. Node.js itself writes a chunk in four,
 * which costs a stream a tenth of its processor time (bench/README.md#the-gateway).
 *
 * @param response has sent its head, and its first chunk by its own `write`, and ends by its own `end`
 * @returns false where the socket should drain before more is written
 */
export function writeChunk(response: ServerResponse, text: string): boolean {
  const { socket } = response;
  // HTTP/1.0 has no chunks, and a client that has left has no socket.
  if (!response.chunkedEncoding || socket === null) return response.write(text);
  const bytes = Buffer.byteLength(text);
  // Node.js writes latin1 without a look at each character, and ASCII has the same bytes in it as in UTF-8.
  const encoding = bytes === text.length ? 'latin1' : 'utf8';
  return socket.write(`${bytes.toString(16)}\r\n${text}\r\n`, encoding);
}
