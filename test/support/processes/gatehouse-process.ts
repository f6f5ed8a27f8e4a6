import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { RELAXED_TIME_LIMITS } from '../application/time-limits.js';

/** How long a process may take to say or do what a test waits for, in milliseconds. */
const DEADLINE_MS = 600_000;

const POLL_MS = 10;

const ORIGIN = /^ {2}API +(http:\/\/[^:\s]+:\d+)\//m;

/** How a process ended, and what it wrote. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The service, or a command, as it was built and in a process of its own. */
export class GatehouseProcess {
  private static readonly running = new Set<GatehouseProcess>();
  private stdout = '';
  private stderr = '';
  private readonly ending: Promise<Ending>;

  private constructor(private readonly child: ChildProcess) {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    GatehouseProcess.running.add(this);
    this.ending = new Promise((resolve) => {
      // By then everything that it wrote has been read.
      child.once('close', (code, signal) => {
        GatehouseProcess.running.delete(this);
        resolve({ code, signal, stdout: this.stdout, stderr: this.stderr });
      });
    });
  }

  /**
   * Starts the service, on a free port unless `PORT` says which.
   *
   * @param variables its environment
   * @param directory its working directory; by default not the repository, whose .env is not for tests
   */
  static service(variables: Readonly<Record<string, string>>, directory?: string): GatehouseProcess {
    return GatehouseProcess.start('src/main.js', [], { HOST: '127.0.0.1', PORT: '0', ...variables }, directory);
  }

  /** Runs a `gatehouse` command to its end. @param variables its environment */
  static command(words: readonly string[], variables: Readonly<Record<string, string>>): Promise<Ending> {
    return GatehouseProcess.startedCommand(words, variables).end();
  }

  /** Starts a `gatehouse` command, which runs on. @param variables its environment */
  static startedCommand(words: readonly string[], variables: Readonly<Record<string, string>>): GatehouseProcess {
    return GatehouseProcess.start('src/cli/main.js', words, variables);
  }

  /** Kills what a failed test has left running. */
  static async killAll(): Promise<void> {
    const left = [...GatehouseProcess.running];
    for (const { child } of left) child.kill('SIGKILL');
    await Promise.all(left.map((one) => one.ending));
  }

  private static start(
    script: string,
    words: readonly string[],
    variables: Readonly<Record<string, string>>,
    directory = os.tmpdir(),
  ): GatehouseProcess {
    const { PATH = '' } = process.env;
    const program = path.resolve('dist', script);
    return new GatehouseProcess(
      spawn(process.execPath, [program, ...words], {
        env: { PATH, ...RELAXED_TIME_LIMITS, SHUTDOWN_DELAY_MS: '0', ...variables },
        cwd: directory,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Waits until it has announced itself. @returns scheme, host and port */
  async origin(): Promise<string> {
    return (await this.said(ORIGIN))[1]!;
  }

  /**
   * Waits until it has written something to standard output.
   *
   * @throws Error when it ends without having done so
   */
  async said(pattern: RegExp): Promise<RegExpExecArray> {
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const found = pattern.exec(this.stdout);
      if (found !== null) return found;
      if (!GatehouseProcess.running.has(this) || Date.now() > deadline) {
        throw new Error(`it has not said ${String(pattern)} but:\n${this.stdout}\n${this.stderr}`);
      }
      await delay(POLL_MS);
    }
  }

  /** Everything that it has written to standard output so far. */
  get output(): string {
    return this.stdout;
  }

  /** Reads what it writes to standard output, or leaves it where it is, as a slow collector of logs does. */
  set isRead(isRead: boolean) {
    if (isRead) this.child.stdout!.resume();
    else this.child.stdout!.pause();
  }

  /** Closes the pipe that it writes standard output to, as a reader does that ends. */
  endReading(): void {
    this.child.stdout!.destroy();
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for its end. */
  end(): Promise<Ending> {
    return this.ending;
  }

  /** Asks it to stop and waits for its end. */
  stop(): Promise<Ending> {
    this.signal('SIGTERM');
    return this.ending;
  }
}
