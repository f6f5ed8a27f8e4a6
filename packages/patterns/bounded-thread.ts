import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** The largest legal patterns need 24 MB and those of a request no more, for they are compiled one after another. */
const COMPILING_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

const engine = createRequire(import.meta.url).resolve('re2js');

/**
 * A thread that works on one request at a time outside the event loop, with bounded time and memory. It starts on demand,
 * keeps running, and is replaced when it has died or takes too long. Callers must not make concurrent calls.
 */
export class BoundedThread<Request, Report> {
  private worker: Worker | undefined;

  /**
   * @param source what the thread runs: source text rather than a separate file, because it has to work both in the
   *   compiled service and in tests, whose sources are compiled on the fly. It finds the engine of patterns at
   *   `workerData.engine`
   * @param timeLimitMs how long one request may take, in milliseconds
   * @param resourceLimits of its memory
   */
  constructor(
    private readonly source: string,
    private readonly timeLimitMs: number,
    private readonly resourceLimits = COMPILING_LIMITS,
  ) {}

  /**
   * Sends a request to the thread and takes its reports.
   *
   * @param take takes a report, and says whether it is the last one
   * @returns whether the last report has come; false when the limit of time or memory is exceeded
   */
  run(request: Request, take: (report: Report) => boolean): Promise<boolean> {
    const worker = (this.worker ??= this.start());
    return new Promise((resolve) => {
      const settle = (isComplete: boolean): void => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        worker.off('exit', onExit);
        resolve(isComplete);
      };
      const onMessage = (report: Report): void => {
        if (take(report)) settle(true);
      };
      const onExit = (): void => settle(false);
      // If the event loop was blocked, the result may have arrived already, so pending messages are read first.
      const timer = setTimeout(() => setImmediate(() => this.discard(worker)), this.timeLimitMs);
      worker.on('message', onMessage);
      worker.on('exit', onExit);
      worker.postMessage(request);
    });
  }

  /** Terminates the thread. */
  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const { source, resourceLimits } = this;
    const worker = new Worker(source, { eval: true, workerData: { engine }, resourceLimits });
    // Node.js emits an error before the exit when the memory limit is exceeded.
    worker.on('error', () => this.discard(worker));
    worker.on('exit', () => this.discard(worker));
    // The thread does not keep the process alive.
    worker.unref();
    return worker;
  }

  private discard(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined;
    void worker.terminate();
  }
}
