import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { findFreePort } from '../../../packages/embedded-postgres/free-port.js';
import { becomesTrue } from './becomes-true.js';

const START_TIMEOUT_MS = 100_000;

/** A Redis server at a port of its own, which can be killed, frozen and started again. */
export class RedisServer {
  private constructor(
    private readonly port: number,
    private readonly directory: string,
    private child: ChildProcess,
  ) {}

  /** @param directory where it works @returns undefined where there is no redis-server on the system */
  static async create(directory: string): Promise<RedisServer | undefined> {
    const port = await findFreePort();
    const child = await launch(port, directory);
    return child && new RedisServer(port, directory, child);
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  async start(): Promise<void> {
    this.child = (await launch(this.port, this.directory))!;
  }

  /** Stops it where it is: connections stay open, and nothing answers. */
  freeze(): void {
    this.child.kill('SIGSTOP');
  }

  thaw(): void {
    this.child.kill('SIGCONT');
  }

  /** Ends it, if it runs. */
  async remove(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.kill();
  }
}

async function launch(port: number, directory: string): Promise<ChildProcess | undefined> {
  const settings = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    directory,
  ];
  const child = spawn('redis-server', settings, { stdio: 'ignore' });
  const isThere = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!isThere) return undefined;
  if (!(await becomesTrue(() => isListening(port), START_TIMEOUT_MS))) throw new Error('redis-server did not start');
  return child;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
