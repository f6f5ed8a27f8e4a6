import { once } from 'node:events';
import net from 'node:net';

/** A proxy between an application and its database that can stop forwarding, like a network or machine that fails. */
export class DatabaseProxy {
  private readonly sockets = new Set<net.Socket>();
  private isSilent = false;
  private openedCount = 0;
  private whenSent: { readonly text: string; readonly react: () => void } | undefined;

  private constructor(
    private readonly server: net.Server,
    /** The database, through the proxy. */
    readonly url: string,
  ) {}

  static async open(databaseUrl: string): Promise<DatabaseProxy> {
    const target = new URL(databaseUrl);
    const server = net.createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`;
    const proxy = new DatabaseProxy(server, url.href);
    server.on('connection', (client) => proxy.connect(client, Number(target.port), target.hostname));
    return proxy;
  }

  /** From now on nothing comes through, and no connection ends. */
  fallSilent(): void {
    this.isSilent = true;
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  /** How many connections have been opened through it. */
  get opened(): number {
    return this.openedCount;
  }

  /** Calls back once, in the turn of the event loop in which a text has been passed on to the database. */
  onceSent(text: string, react: () => void): void {
    this.whenSent = { text, react };
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private connect(client: net.Socket, port: number, host: string): void {
    this.keep(client);
    this.openedCount += 1;
    if (this.isSilent) return;
    const upstream = net.connect(port, host);
    this.keep(upstream);
    client.pipe(upstream).pipe(client);
    // PostgreSQL resets a connection that it ends before it has read all of it; a pipe passes only ends on.
    upstream.once('error', () => client.destroy());
    client.once('error', () => upstream.destroy());
    client.on('data', (bytes: Buffer) => this.watch(bytes));
  }

  private watch(bytes: Buffer): void {
    const watched = this.whenSent;
    if (watched === undefined || !bytes.includes(watched.text)) return;
    this.whenSent = undefined;
    watched.react();
  }

  private keep(socket: net.Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => socket.destroy());
  }
}
