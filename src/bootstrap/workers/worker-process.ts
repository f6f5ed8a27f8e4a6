import cluster, { type Worker } from 'node:cluster';
import { WorkerCannotStart } from '../start-up-error.js';
import { isListening, type Listening } from './worker-messages.js';

/** One of the processes that answer on the port. */
export class WorkerProcess {
  /** Resolves when it answers. Rejects with WorkerCannotStart when it ends before. */
  readonly listening: Promise<Listening>;
  /** Resolves when it has ended, with how: `exit code 1`, `killed by SIGKILL`. */
  readonly ended: Promise<string>;
  private readonly startedAt = performance.now();

  private constructor(private readonly worker: Worker) {
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
        resolve(signal === null ? `exit code ${code}` : `killed by ${signal}`);
      });
      // One that was never there does not exit; otherwise a message has not reached one that ends.
      worker.on('error', (error) => worker.process.pid === undefined && resolve(error.message));
    });
    this.listening = new Promise((resolve, reject) => {
      worker.on('message', (message: unknown) => isListening(message) && resolve(message));
      void this.ended.then((ending) => reject(new WorkerCannotStart(ending, ending === 'exit code 1')));
    });
  }

  /** Starts one. @param variables its environment, besides that of this process */
  static launch(variables: Readonly<Record<string, string>>): WorkerProcess {
    return new WorkerProcess(cluster.fork(variables));
  }

  get processId(): number | undefined {
    return this.worker.process.pid;
  }

  /** How long ago it was started, in milliseconds. */
  get ageMs(): number {
    return performance.now() - this.startedAt;
  }

  /** Sends it a signal, unless it has ended. */
  signal(signal: NodeJS.Signals): void {
    this.worker.process.kill(signal);
  }
}
