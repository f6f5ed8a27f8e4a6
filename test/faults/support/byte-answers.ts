/** An answer as it stands in the bytes of a connection. */
export interface ByteAnswer {
  readonly status: number;
  /** Status line and headers. */
  readonly head: string;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';

/** The answers that stand in full in bytes, one behind the other. The service says the length of each. */
export function answersIn(bytes: Buffer): ByteAnswer[] {
  const answers: ByteAnswer[] = [];
  let start = 0;
  for (;;) {
    const headEnd = bytes.indexOf(HEAD_END, start);
    if (headEnd === -1) return answers;
    const head = bytes.toString('latin1', start, headEnd);
    const bodyStart = headEnd + HEAD_END.length;
    const bodyEnd = bodyStart + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (bytes.length < bodyEnd) return answers;
    answers.push({ status: Number(head.split(' ')[1]), head, body: bytes.toString('utf8', bodyStart, bodyEnd) });
    start = bodyEnd;
  }
}

/** Whether the connection ends with an answer. */
export function announcesClose({ head }: ByteAnswer): boolean {
  return /\r\nconnection: *close/i.test(head);
}
