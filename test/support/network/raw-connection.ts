import net from 'node:net';
import type { Answer } from './api-client.js';

/** What a connection gave before it ended or enough was read. */
export interface ByteExchange {
  readonly answers: readonly Answer[];
  /** Whether the service closed the connection. */
  readonly isClosed: boolean;
}

/**
 * Sends bytes over a connection of their own, as no HTTP client would, and reads what comes back.
 *
 * @param origin of the service
 * @param pieces sent one after the other
 * @param until how many answers to wait for, or that the service closes the connection
 * @param halfCloses say at once that nothing more is coming
 */
export function exchangeBytes(
  origin: string,
  pieces: readonly (string | Uint8Array)[],
  until: number | 'closed',
  halfCloses = false,
): Promise<ByteExchange> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: hostname, port: Number(port) });
    let received = Buffer.alloc(0);
    const finish = (isClosed: boolean): void => {
      socket.destroy();
      resolve({ answers: answersIn(received), isClosed });
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (until !== 'closed' && answersIn(received).length >= until) finish(false);
    });
    socket.once('end', () => finish(true));
    // A service that has closed the connection takes no more bytes.
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') finish(true);
      else reject(error);
    });
    for (const piece of pieces) socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece);
    if (halfCloses) socket.end();
  });
}

/** The answers that are there in full, one behind the other. */
function answersIn(bytes: Buffer): Answer[] {
  const answers: Answer[] = [];
  let rest = bytes;
  for (let end = rest.indexOf('\r\n\r\n'); end !== -1; end = rest.indexOf('\r\n\r\n')) {
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]));
    const bodyStart = end + 4;
    const bodyEnd = bodyStart + Number(headers.get('content-length') ?? 0);
    if (rest.length < bodyEnd) break;
    const text = rest.toString('utf8', bodyStart, bodyEnd);
    const body = headers.get('content-type')?.startsWith('application/json') ? (JSON.parse(text) as unknown) : text;
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, text, body });
    rest = rest.subarray(bodyEnd);
  }
  return answers;
}
