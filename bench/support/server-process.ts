import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Linux counts processor time in these parts of a second. */
const TICKS_PER_SECOND = 100;

const START_TIMEOUT_MS = 60_000;

/** A server in a process of its own. */
export class ServerProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly origin: string,
  ) {}

  /**
   * Starts a server and waits until it answers.
   *
   * @param script the compiled script, relative to the repository
   * @param variables its environment, besides this process's own
   * @param readyPath what it answers once it is ready, with any status
   */
  static async start(
    script: string,
    variables: Readonly<Record<string, string>>,
    readyPath: string,
  ): Promise<ServerProcess> {
    const port = await freePort();
    const child = spawn(process.execPath, [script], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(port),
        HOST: '127.0.0.1',
        SHUTDOWN_DELAY_MS: '0',
        ...variables,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const server = new ServerProcess(child, `http://127.0.0.1:${port}`);
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await server.answers(readyPath))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${script} did not start`);
      await delay(10);
    }
    return server;
  }

  /** Processor time so far, in milliseconds, user and system: of this process and those that it has started. */
  processorTime(): number {
    const times = familyOf(this.child.pid!).map((processId) => {
      // The name of the process, in parentheses, may hold spaces; fields are counted from behind it.
      const fields = readFileSync(`/proc/${processId}/stat`, 'utf8').split(') ')[1]!.split(' ');
      return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
    });
    return times.reduce((sum, time) => sum + time, 0);
  }

  /** Resident memory in MiB, of this process and those that it has started; what they share is counted for each. */
  residentMemory(): number {
    const sizes = familyOf(this.child.pid!).map((processId) => {
      const status = readFileSync(`/proc/${processId}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
    });
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
  }

  private async answers(path: string): Promise<boolean> {
    try {
      await (await fetch(`${this.origin}${path}`)).arrayBuffer();
      return true;
    } catch {
      // Not listening yet.
      return false;
    }
  }
}

/** A process and, at any depth, what it has started. */
function familyOf(processId: number): number[] {
  const children = readFileSync(`/proc/${processId}/task/${processId}/children`, 'utf8').split(' ').filter(Boolean);
  return [processId, ...children.flatMap((child) => familyOf(Number(child)))];
}

/** Finds a port that is currently free. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
