import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { until } from '../time/until.js';

/** The user and password that a proxy wants to be shown. */
export const PROXY_USER = 'gatekeeper';
export const PROXY_PASSWORD = 'pass_word-of-proxy';

/** What a proxy was asked for. */
export interface ProxiedRequest {
  readonly method: string;
  /** `host:port` of a tunnel, and the whole address otherwise. */
  readonly target: string;
  readonly authorization: string | undefined;
}

/** A proxy on the way out, on the loopback, to which every name is a name of the loopback. */
export class ForwardProxy {
  readonly asked: ProxiedRequest[] = [];

  private constructor(
    private readonly server: http.Server,
    private readonly sockets: Set<net.Socket>,
  ) {}

  /** @param ports the port of the server that stands for a port of any other host */
  static async start(ports: Readonly<Record<string, string>>): Promise<ForwardProxy> {
    const server = http.createServer();
    const sockets = new Set<net.Socket>();
    const proxy = new ForwardProxy(server, sockets);
    const note = ({ method = '', url = '', headers }: http.IncomingMessage): void =>
      void proxy.asked.push({ method, target: url, authorization: headers['proxy-authorization'] });
    server.on('connection', (socket: net.Socket) => sockets.add(socket.on('error', () => undefined)));
    server.on('connect', (request: http.IncomingMessage, socket: net.Socket, head: Buffer) => {
      note(request);
      const onward = net.connect(Number(ports[request.url!.split(':').at(-1)!]), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        if (head.length > 0) onward.write(head);
        socket.pipe(onward).pipe(socket);
      });
      sockets.add(onward.on('error', () => socket.destroy()));
    });
    server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
      note(request);
      const { port, pathname, search } = new URL(request.url!);
      const { method, headers } = request;
      const options = { port: ports[port === '' ? '80' : port], path: `${pathname}${search}`, method, headers };
      const onward = http.request(options, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.server.address() as net.AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Whether tinyproxy is installed. */
export const HAS_TINYPROXY = spawnSync('tinyproxy', ['-v']).status === 0;

/** Tinyproxy, which demands credentials, and hands everything on to another proxy. */
export class Tinyproxy {
  private constructor(
    private readonly child: ChildProcess,
    private readonly directory: string,
    readonly port: number,
  ) {}

  static async start(next: ForwardProxy): Promise<Tinyproxy> {
    const port = await freePort();
    const directory = mkdtempSync(path.join(os.tmpdir(), 'gatehouse-tinyproxy-'));
    const settings = path.join(directory, 'tinyproxy.conf');
    writeFileSync(
      settings,
      [
        `Port ${port}`,
        'Listen 127.0.0.1',
        'Timeout 600',
        `BasicAuth ${PROXY_USER} ${PROXY_PASSWORD}`,
        `Upstream http 127.0.0.1:${next.port}`,
        '',
      ].join('\n'),
    );
    const proxy = new Tinyproxy(spawn('tinyproxy', ['-d', '-c', settings], { stdio: 'ignore' }), directory, port);
    await until(() => isListening(port));
    return proxy;
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
    rmSync(this.directory, { recursive: true });
  }
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
