import cluster, { type Worker } from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { GRACE_PERIOD_MS } from '../drain.js';
import { WorkerFailed } from './worker-failed.js';
import { isWorkerMessage, type WorkerMessage } from './worker-message.js';

/** What a worker may take beyond the grace period of its requests, in milliseconds. */
const CLOSING_MS = 5_000;

/** A process that runs the application and nothing else. */
export class WorkerProcess {
  private constructor(
    private readonly worker: Worker,
    /** Where it listens: the same for all workers. */
    readonly port: number,
    /** Resolves when it has ended, with how: `exit code 0`, `killed by SIGKILL`. */
    readonly ended: Promise<string>,
  ) {}

  /**
   * Starts one and resolves when it listens.
   *
   * @param variables its environment, besides this process's own
   * @throws WorkerFailed when it ends instead
   */
  static async launch(variables: Readonly<Record<string, string>>): Promise<WorkerProcess> {
    const worker = cluster.fork(variables);
    const ended = endOf(worker);
    const outcome = await Promise.race([firstMessageOf(worker), ended]);
    if (typeof outcome === 'string') throw new WorkerFailed(`a worker ended while it started (${outcome})`);
    if (outcome.gatehouse === 'listening') return new WorkerProcess(worker, outcome.port, ended);
    await ended;
    throw new WorkerFailed(outcome.explanation);
  }

  get processId(): number | undefined {
    return this.worker.process.pid;
  }

  /** Asks it to finish its requests and end, without waiting for it to do so. */
  requestStop(): void {
    this.worker.process.kill('SIGTERM');
  }

  /** Stops it and resolves when it has ended. Requests in flight are finished. */
  async stop(): Promise<void> {
    this.requestStop();
    const tooLong = delay(GRACE_PERIOD_MS + CLOSING_MS, undefined, { ref: false });
    await Promise.race([this.ended, tooLong]);
    // Does nothing to one that has ended.
    this.worker.process.kill('SIGKILL');
    await this.ended;
  }
}

function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
      resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`);
    });
    worker.on('error', (error: Error) => {
      // One that was never there does not exit. Otherwise a message did not reach it, because it is about to.
      if (worker.process.pid === undefined) resolve(error.message);
    });
  });
}

function firstMessageOf(worker: Worker): Promise<WorkerMessage> {
  return new Promise((resolve) => {
    const listen = (message: unknown): void => {
      if (!isWorkerMessage(message)) return;
      worker.off('message', listen);
      resolve(message);
    };
    worker.on('message', listen);
  });
}
