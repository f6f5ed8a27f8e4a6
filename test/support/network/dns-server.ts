import { createSocket, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;
/** A response without error, and one that says that there is no such name (RFC 1035, section 4.1.1). */
const FOUND = 0x8180;
const NO_SUCH_NAME = 0x8183;

/** What a name server says of a name: its addresses, or nothing at all, so that the query waits. */
export type NameRecord = readonly string[] | 'silence';

/** A name server of a test's own, which speaks DNS over UDP (RFC 1035) on the loopback. */
export class DnsServer {
  /** Every name that was asked for, once for each question. */
  readonly asked: string[] = [];

  private constructor(
    private readonly socket: Socket,
    private readonly recordOf: (name: string) => NameRecord | undefined,
  ) {}

  /** @param recordOf what it says of each name; undefined: that there is no such name */
  static async start(recordOf: (name: string) => NameRecord | undefined): Promise<DnsServer> {
    const socket = createSocket('udp4');
    const server = new DnsServer(socket, recordOf);
    socket.on('message', (message, { port, address }) => {
      const answer = server.answerTo(message);
      if (answer !== undefined) socket.send(answer, port, address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return server;
  }

  /** As DNS_SERVERS has it. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.socket.close(() => resolve()));
  }

  private answerTo(message: Buffer): Buffer | undefined {
    const { name, end } = questionOf(message);
    this.asked.push(name);
    const record = this.recordOf(name);
    if (record === 'silence') return undefined;
    const type = message.readUInt16BE(end - 4);
    const addresses = (record ?? []).filter((address) => type === (isIPv4(address) ? TYPE_A : TYPE_AAAA));
    const header = Buffer.alloc(HEADER_BYTES);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(record === undefined ? NO_SUCH_NAME : FOUND, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    return Buffer.concat([
      header,
      message.subarray(HEADER_BYTES, end),
      ...addresses.map((address) => resourceRecord(type, address)),
    ]);
  }
}

/** The name that a message asks for, and where its question ends. */
function questionOf(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let position = HEADER_BYTES;
  for (let length = message[position] ?? 0; length > 0; length = message[position] ?? 0) {
    labels.push(message.toString('latin1', position + 1, position + 1 + length));
    position += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: position + 5 };
}

function resourceRecord(type: number, address: string): Buffer {
  const data = type === TYPE_A ? Buffer.from(address.split('.').map(Number)) : bytesOfIpv6(address);
  const record = Buffer.alloc(12);
  // The name is that of the question, by a pointer to it (RFC 1035, section 4.1.4).
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

/** @param address with at most one `::` and no IPv4 address inside */
function bytesOfIpv6(address: string): Buffer {
  const [start = '', end] = address.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const tail = end === undefined ? [] : groups(end);
  const head = groups(start);
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return Buffer.from([...head, ...zeros, ...tail].flatMap((group) => [group >> 8, group & 255]));
}
