import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that a server was handed. */
export interface ReceivedMail {
  /** The addresses of the envelope. */
  readonly from: string;
  readonly to: readonly string[];
  /** By names in lower case, unfolded, as they came. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. */
  readonly text: string;
}

/** A mail server of a test's own, on the loopback. */
export class MailServer {
  readonly received: ReceivedMail[] = [];
  /** The mails that it refused, which it was handed whole. */
  readonly refused: ReceivedMail[] = [];
  /** Refuses mails while it is set: the code and text of its answer. */
  refusal: { readonly code: number; readonly text: string } | undefined;

  private constructor(private readonly server: SMTPServer) {}

  /** @param options of the server, over those of one that takes everything without a login */
  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const pieces = new Map<string, Buffer[]>();
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onData(stream, session, callback) {
        pieces.set(session.id, []);
        stream.on('data', (piece: Buffer) => pieces.get(session.id)!.push(piece));
        stream.on('end', () => {
          const { refusal } = mail;
          const { mailFrom, rcptTo } = session.envelope;
          (refusal === undefined ? mail.received : mail.refused).push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            ...parsed(Buffer.concat(pieces.get(session.id)!).toString()),
          });
          if (refusal === undefined) callback();
          else callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        });
      },
      ...options,
    });
    const mail = new MailServer(server);
    // A client that goes away is no failure of a test.
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    return mail;
  }

  /** Where it listens. */
  get host(): string {
    return `127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** The mails to an address. */
  to(address: string): ReceivedMail[] {
    return this.received.filter(({ to }) => to.includes(address));
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

function parsed(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, text: decoded(raw.slice(end + 4), headers['content-transfer-encoding']) };
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
