import { BoundedThread } from './bounded-thread.js';

/** The engine's error message for each pattern; null for a valid one. */
export type EngineMessages = readonly (string | null)[];

/**
 * How much the thread gives way to others on busy cores (nice, 0 to 19): a quarter of a core that the event loop needs as well, so
 * that patterns within their limits still compile in time.
 */
export const NICENESS = 5;

// On Linux a thread has a priority of its own; elsewhere this would be that of the process. An unexpected error of the engine
// ends the thread.
const SOURCE = `
  if (process.platform === 'linux') require('node:os').setPriority(${NICENESS});
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

/** A thread that compiles patterns outside the event loop. Callers must not make concurrent calls. */
export class PatternThread {
  private readonly thread: BoundedThread<readonly string[], EngineMessages>;

  /** @param timeLimitMs how long the patterns of one request may take to compile, in milliseconds */
  constructor(timeLimitMs: number) {
    this.thread = new BoundedThread(SOURCE, timeLimitMs);
  }

  /**
   * Compiles patterns.
   *
   * @returns the error message for each pattern; undefined when the limit of time or memory is exceeded
   */
  async compile(patterns: readonly string[]): Promise<EngineMessages | undefined> {
    let messages: EngineMessages | undefined;
    await this.thread.run(patterns, (report) => {
      messages = report;
      return true;
    });
    return messages;
  }

  /** Terminates the thread. */
  async close(): Promise<void> {
    await this.thread.close();
  }
}
