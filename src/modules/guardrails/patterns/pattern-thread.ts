import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** What the engine says against each pattern; null for one that it takes. */
export type EngineFaults = readonly (string | null)[];

/** The largest legal patterns need 24 MB and those of a request no more, for they are compiled one after another. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

// Source text rather than a file of its own: it is the same for the compiled service and for the tests, whose sources
// are compiled on the fly. An error that the engine does not throw by intention ends the thread.
const SOURCE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { RE2JS, RE2JSException } = require(workerData.engine);
  parentPort.on('message', (patterns) => {
    parentPort.postMessage(patterns.map((pattern) => {
      try {
        RE2JS.compile(pattern);
        return null;
      } catch (error) {
        if (!(error instanceof RE2JSException)) throw error;
        return error.message;
      }
    }));
  });
`;

const engine = createRequire(import.meta.url).resolve('re2js');

/**
 * A thread that compiles patterns beside the event loop, with bounded memory. It starts when it is first needed, is kept,
 * and is replaced when it has died or takes too long. It does one thing at a time: whoever asks takes care of that.
 */
export class PatternThread {
  private worker: Worker | undefined;

  /** @param timeLimitMs how long the patterns of one request may take to compile, in milliseconds */
  constructor(private readonly timeLimitMs: number) {}

  /**
   * Compiles patterns.
   *
   * @returns what the engine says against each; undefined when it has not come to an end within its time and memory
   */
  compile(patterns: readonly string[]): Promise<EngineFaults | undefined> {
    const worker = (this.worker ??= this.start());
    return new Promise((resolve) => {
      const settle = (faults?: EngineFaults): void => {
        clearTimeout(timer);
        worker.off('message', settle);
        worker.off('exit', onExit);
        resolve(faults);
      };
      const onExit = (): void => settle();
      // When the event loop has stood still, the answer may be there already: it is read before anything is given up.
      const timer = setTimeout(() => setImmediate(() => this.discard(worker)), this.timeLimitMs);
      worker.on('message', settle);
      worker.on('exit', onExit);
      worker.postMessage(patterns);
    });
  }

  /** Ends the thread, whatever it does. */
  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(SOURCE, { eval: true, workerData: { engine }, resourceLimits: RESOURCE_LIMITS });
    // Of memory that is used up Node.js says so before the exit.
    worker.on('error', () => this.discard(worker));
    worker.on('exit', () => this.discard(worker));
    // It keeps no process alive that has nothing else to do.
    worker.unref();
    return worker;
  }

  private discard(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined;
    void worker.terminate();
  }
}
