/** An answer as it stands in the bytes of a connection. */
export interface ByteAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

/** What an answer begins with, and no body. */
const NEXT_ANSWER = 'HTTP/1.1 ';

const LINE_END = '\r\n';
const HEAD_END = `${LINE_END}${LINE_END}`;

/** The answers that stand in full in bytes, one behind the other: the service says the length of each, or of its chunks. */
export function answersIn(bytes: Buffer): ByteAnswer[] {
  const answers: ByteAnswer[] = [];
  let start = 0;
  for (;;) {
    const headEnd = bytes.indexOf(HEAD_END, start);
    if (headEnd === -1) return answers;
    const head = bytes.toString('latin1', start, headEnd);
    const bodyStart = headEnd + HEAD_END.length;
    const found = bodyOf(head, bytes, bodyStart);
    if (found === undefined) return answers;
    answers.push({ status: Number(head.split(' ')[1]), head, body: found.body.toString('utf8') });
    start = found.end;
  }
}

/** A body, and where it ends. */
interface FoundBody {
  readonly body: Buffer;
  readonly end: number;
}

function bodyOf(head: string, bytes: Buffer, start: number): FoundBody | undefined {
  // An answer to HEAD tells the length of a body that it does not have: the next answer follows at once.
  if (bytes.toString('latin1', start, start + NEXT_ANSWER.length) === NEXT_ANSWER) return bodyOfLength(bytes, start, 0);
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return chunkedBody(bytes, start);
  return bodyOfLength(bytes, start, Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0));
}

function bodyOfLength(bytes: Buffer, start: number, length: number): FoundBody | undefined {
  const end = start + length;
  return bytes.length < end ? undefined : { body: bytes.subarray(start, end), end };
}

/** The body of a stream (RFC 9112, section 7.1); undefined while its last chunk is missing. */
function chunkedBody(bytes: Buffer, start: number): FoundBody | undefined {
  const chunks: Buffer[] = [];
  for (let position = start; ;) {
    const sizeEnd = bytes.indexOf(LINE_END, position);
    if (sizeEnd === -1) return undefined;
    const chunkStart = sizeEnd + LINE_END.length;
    const size = Number.parseInt(bytes.toString('latin1', position, sizeEnd), 16);
    position = chunkStart + size + LINE_END.length;
    if (bytes.length < position) return undefined;
    if (size === 0) return { body: Buffer.concat(chunks), end: position };
    chunks.push(bytes.subarray(chunkStart, chunkStart + size));
  }
}

/** Whether the connection ends with an answer. */
export function announcesClose({ head }: ByteAnswer): boolean {
  return /\r\nconnection: *close/i.test(head);
}
