import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The compiled service that lies beside this file. */
const PROGRAM = fileURLToPath(new URL('../../../src/main.js', import.meta.url));

/** How long a service may take to start and to stop, in milliseconds. */
const START_TIMEOUT_MS = 600_000;
const STOP_TIMEOUT_MS = 300_000;

/** How many characters are shown of what a process that has ended said last. */
const LAST_WORDS_LENGTH = 2_000;

/** What the announcement says of the address, and of the first management key, which it is meant to show. */
const ORIGIN = /^ {2}API +http:\/\/[^:\s]+:(\d+)\//m;
const SHOWN_KEY = /^ {2}Management key +(mk-\S+)$/m;

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** On the clock of `performance.now()`. */
  readonly at: number;
}

/** A line of the log, as far as faults look into it. */
export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly status?: number;
  readonly request_id?: string;
  readonly failure?: { readonly type?: string; readonly message?: string; readonly code?: string };
}

/** The service in a process of its own, as it runs in production. */
export class ServiceProcess {
  private readonly chunks: string[] = [];
  private ended: Exit | undefined;
  private readonly ending: Promise<Exit>;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => this.chunks.push(chunk));
    }
    this.ending = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.ended = { code, signal, at: performance.now() };
      });
      // All that it has written has been read by then.
      child.once('close', () => resolve(this.ended!));
    });
  }

  /**
   * Starts a service on a free port of 127.0.0.1 and waits until it has announced itself.
   *
   * @param variables its environment
   * @throws Error when it ends instead, or takes too long
   */
  static async start(variables: Readonly<Record<string, string>>): Promise<ServiceProcess> {
    const service = ServiceProcess.launch(variables);
    await service.announced();
    return service;
  }

  /** Starts a service and does not wait for it. */
  static launch(variables: Readonly<Record<string, string>>): ServiceProcess {
    const { PATH = '' } = process.env;
    return new ServiceProcess(
      spawn(process.execPath, [PROGRAM], {
        env: { PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', SHUTDOWN_DELAY_MS: '0', ...variables },
        // Not the repository, whose .env is not for this service.
        cwd: os.tmpdir(),
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Waits until it has said where it listens. */
  async announced(): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (!ORIGIN.test(this.output)) {
      if (!this.isRunning) throw new Error(`the service did not start:\n${this.output}`);
      if (performance.now() > deadline) throw new Error(`the service did not start in time:\n${this.output}`);
      await delay(5);
    }
  }

  /** Scheme, host and port. */
  get origin(): string {
    return `http://127.0.0.1:${ORIGIN.exec(this.output)?.[1]}`;
  }

  get processId(): number {
    return this.child.pid!;
  }

  get isRunning(): boolean {
    return this.ended === undefined;
  }

  /** How it ended and what it said last, in words; undefined while it runs. */
  get lastWords(): string | undefined {
    if (this.ended === undefined) return undefined;
    const { code, signal } = this.ended;
    return `ended by ${signal ?? `code ${code}`}: ${this.log.slice(-LAST_WORDS_LENGTH)}`;
  }

  /** Everything that it has written to its standard streams so far. */
  get output(): string {
    return this.chunks.join('');
  }

  /** Everything that it has written, but for the one line that is there to show a key. */
  get log(): string {
    return this.output.replace(SHOWN_KEY, '');
  }

  /** The management key that its first start has shown, if it was the first. */
  get shownKey(): string | undefined {
    return SHOWN_KEY.exec(this.output)?.[1];
  }

  /** The lines of its log so far. */
  get logLines(): LogLine[] {
    return this.output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine);
  }

  /** How many lines of the log say this so far. */
  countOf(message: string): number {
    return this.logLines.filter((line) => line.message.includes(message)).length;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for its end. */
  exit(): Promise<Exit> {
    return this.ending;
  }

  /** Asks it to stop and waits for that; what does not stop is killed. */
  async stop(): Promise<Exit> {
    this.signal('SIGTERM');
    await Promise.race([this.ending, delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    this.signal('SIGKILL');
    return this.ending;
  }
}
