import { BoundedThread, GIVE_WAY } from './bounded-thread.js';

/** The engine's error message for each pattern; null for a valid one. */
export type EngineMessages = readonly (string | null)[];

// An unexpected error of the engine ends the thread.
const SOURCE = `
  ${GIVE_WAY}
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
  private readonly thread = new BoundedThread<readonly string[], EngineMessages>(SOURCE);

  /** @param timeLimitMs how long the patterns of one request may take to compile, in milliseconds */
  constructor(private readonly timeLimitMs: number) {}

  /**
   * Compiles patterns.
   *
   * @returns the error message for each pattern; undefined when the limit of time or memory is exceeded
   */
  async compile(patterns: readonly string[]): Promise<EngineMessages | undefined> {
    let messages: EngineMessages | undefined;
    const take = (report: EngineMessages): boolean => {
      messages = report;
      return true;
    };
    await this.thread.run(patterns, take, this.timeLimitMs);
    return messages;
  }

  async close(): Promise<void> {
    await this.thread.close();
  }
}
