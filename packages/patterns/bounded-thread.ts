import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** The memory of a thread that compiles: the largest legal pattern needs 24 MB, and patterns are compiled one after another. */
const COMPILING_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

const engine = createRequire(import.meta.url).resolve('re2js');

/**
 * How much a thread gives way to others on busy cores (nice, 0 to 19): a quarter of a core that the event loop needs as well, so that
 * patterns within their limits still compile in time.
 */
export const NICENESS = 5;

/** What lets a thread give way, in its source. Elsewhere than on Linux this would be the priority of the process. */
export const GIVE_WAY = `if (process.platform === 'linux') require('node:os').setPriority(${NICENESS});`;

/** How often it is asked whether a request may go on beyond its time, in milliseconds. */
const RECHECK_MS = 50;

/** The first message of a thread, which has loaded what it needs. */
const READY = 'ready';

interface StartedThread {
  readonly worker: Worker;
  /** Settled once it works on requests, or has ended. */
  readonly start: Promise<void>;
}

/**
 * A thread that works on one request at a time outside the event loop, with bounded time and memory. It starts on demand,
 * keeps running, and is replaced when it has died or takes too long. Callers must not make concurrent calls.
 */
export class BoundedThread<Request, Report> {
  private thread: StartedThread | undefined;

  /**
   * @param source what the thread runs: source text rather than a separate file, because it has to work both in the
   *   compiled service and in tests, whose sources are compiled on the fly. It finds the engine of patterns at
   *   `workerData.engine`
   * @param resourceLimits the limits of its memory
   */
  constructor(
    private readonly source: string,
    private readonly resourceLimits = COMPILING_LIMITS,
  ) {}

  /**
   * Sends a request to the thread and takes its reports.
   *
   * @param take takes a report, and says whether it is the last one
   * @param timeLimitMs how long the request may take, in milliseconds, without the start of the thread
   * @param mayGoOn whether it may take longer all the same, asked from then on
   * @returns whether the last report has come; false when the limit of time or memory is exceeded
   */
  async run(
    request: Request,
    take: (report: Report) => boolean,
    timeLimitMs: number,
    mayGoOn: () => boolean = () => false,
  ): Promise<boolean> {
    const thread = (this.thread ??= this.start());
    await thread.start;
    // The thread has ended already.
    if (this.thread !== thread) return false;
    return this.ask(thread, request, take, timeLimitMs, mayGoOn);
  }

  async close(): Promise<void> {
    await this.thread?.worker.terminate();
  }

  private ask(
    thread: StartedThread,
    request: Request,
    take: (report: Report) => boolean,
    timeLimitMs: number,
    mayGoOn: () => boolean,
  ): Promise<boolean> {
    const { worker } = thread;
    return new Promise((resolve) => {
      let isSettled = false;
      const settle = (isComplete: boolean): void => {
        isSettled = true;
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('exit', onExit);
        resolve(isComplete);
      };
      const onMessage = (report: Report): void => {
        if (take(report)) settle(true);
      };
      const onExit = (): void => settle(false);
      const end = (): void => {
        if (isSettled) return;
        if (mayGoOn()) timer = setTimeout(() => setImmediate(end), RECHECK_MS);
        else this.discard(thread);
      };
      // If the event loop was blocked, the result may have arrived already, so pending messages are read first.
      let timer = setTimeout(() => setImmediate(end), timeLimitMs);
      worker.on('message', onMessage);
      worker.on('exit', onExit);
      worker.postMessage(request);
    });
  }

  private start(): StartedThread {
    const { resourceLimits } = this;
    const source = `${this.source}\nrequire('node:worker_threads').parentPort.postMessage('${READY}');`;
    const worker = new Worker(source, { eval: true, workerData: { engine }, resourceLimits });
    const start = new Promise<void>((resolve) => {
      worker.once('message', () => resolve());
      worker.once('exit', () => resolve());
    });
    const thread = { worker, start };
    // Node.js emits an error before the exit when the memory limit is exceeded.
    worker.on('error', () => this.discard(thread));
    worker.on('exit', () => this.discard(thread));
    // The thread does not keep the process alive.
    worker.unref();
    return thread;
  }

  private discard(thread: StartedThread): void {
    if (this.thread === thread) this.thread = undefined;
    void thread.worker.terminate();
  }
}
