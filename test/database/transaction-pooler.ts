import { once } from 'node:events';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import pg from 'pg';

const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const TERMINATE = 'X'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);

/** AuthenticationOk, BackendKeyData and ReadyForQuery, as a client is welcomed. */
const WELCOME = Buffer.from(['520000000800000000', '4b0000000c0000000100000001', '5a0000000549'].join(''), 'hex');

/**
 * A pooler in transaction mode that knows nothing of prepared statements, as PgBouncer was before 1.21: all clients share one
 * connection to PostgreSQL, and each has it for a transaction.
 */
export class TransactionPooler {
  private readonly clients = new Set<net.Socket>();
  private readonly waiting: { readonly client: net.Socket; readonly bytes: Buffer }[] = [];
  private owner: net.Socket | undefined;
  private unread = Buffer.alloc(0);

  private constructor(
    private readonly server: net.Server,
    private readonly upstream: Duplex,
    /** The database, through the pooler. */
    readonly url: string,
  ) {}

  /** Opens the one connection to a database, and a port for clients. */
  static async open(databaseUrl: string): Promise<TransactionPooler> {
    const login = new pg.Client({ connectionString: databaseUrl });
    await login.connect();
    const upstream = login.connection.stream;
    // From now on the connection is not the driver's any more.
    upstream.removeAllListeners();
    const server = net.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
    const pooler = new TransactionPooler(server, upstream, url.href);
    upstream.on('data', (bytes: Buffer) => pooler.answer(bytes));
    upstream.on('error', () => upstream.destroy());
    server.on('connection', (client) => pooler.welcome(client));
    return pooler;
  }

  async close(): Promise<void> {
    for (const client of this.clients) client.destroy();
    this.upstream.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private welcome(client: net.Socket): void {
    this.clients.add(client);
    client.on('error', () => client.destroy());
    client.once('data', () => {
      client.write(WELCOME);
      client.on('data', (bytes: Buffer) => this.ask(client, bytes));
    });
  }

  private ask(client: net.Socket, bytes: Buffer): void {
    if (bytes[0] === TERMINATE && this.owner !== client) client.end();
    else if (this.owner === client) this.upstream.write(bytes);
    else {
      this.waiting.push({ client, bytes });
      this.giveToNext();
    }
  }

  private giveToNext(): void {
    if (this.owner !== undefined) return;
    const next = this.waiting.shift();
    if (next === undefined) return;
    this.owner = next.client;
    this.upstream.write(next.bytes);
  }

  private answer(bytes: Buffer): void {
    const { owner } = this;
    if (owner?.writable === true) owner.write(bytes);
    this.unread = Buffer.concat([this.unread, bytes]);
    while (this.unread.length >= 5) {
      const length = 1 + this.unread.readInt32BE(1);
      if (this.unread.length < length) return;
      const isOver = this.unread[0] === READY_FOR_QUERY && this.unread[5] === IDLE;
      this.unread = this.unread.subarray(length);
      if (isOver) this.owner = undefined;
    }
    this.giveToNext();
  }
}
