import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import type { Closable } from '../shutdown.js';
import type { WorkerProcess } from './worker-process.js';
import type { Listening } from './worker-messages.js';

/** The pauses before a worker takes the place of one that has ended, in milliseconds; the last is that of all further ones. */
const PAUSES_MS = [0, 250, 500, 1_000, 2_000, 5_000, 10_000] as const;

/** A worker that has run for this long counts as one that works, in milliseconds. */
const STABLE_AFTER_MS = 30_000;

/** What is known of a worker here. */
export type AnyWorker = Pick<WorkerProcess, 'listening' | 'ended' | 'processId' | 'ageMs' | 'signal'>;

/** Keeps a number of workers running. */
export class Workers implements Closable {
  private readonly running = new Set<AnyWorker>();
  private readonly stopping = new AbortController();

  /**
   * @param number how many there are
   * @param launch starts one
   * @param stopped says which signal the service is stopped with
   * @param pause waits for some milliseconds, or until the service stops
   */
  constructor(
    private readonly number: number,
    private readonly launch: () => AnyWorker,
    private readonly stopped: { readonly signal: NodeJS.Signals | undefined },
    private readonly logger: Pick<ServiceLogger, 'event' | 'warn'>,
    private readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void> = pauseFor,
  ) {}

  /**
   * Starts the first worker, and when it answers the others: so a database is filled, and an error of the configuration reported, once.
   *
   * @returns what the first has found; resolves when all answer
   * @throws WorkerCannotStart when one ends instead
   */
  async start(): Promise<Listening> {
    const first = await this.begin();
    await Promise.all(Array.from({ length: this.number - 1 }, () => this.begin()));
    return first;
  }

  /** Stops all of them as one process is stopped, and resolves when they have ended. */
  async close(): Promise<void> {
    this.stopping.abort();
    const workers = [...this.running];
    // Without a signal something that they need is lost, and there is nothing to delay for.
    for (const worker of workers) worker.signal(this.stopped.signal ?? 'SIGINT');
    await Promise.all(workers.map(({ ended }) => ended));
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async begin(): Promise<Listening> {
    const worker = this.run();
    const listening = await worker.listening;
    void this.keep(worker);
    return listening;
  }

  private run(): AnyWorker {
    const worker = this.launch();
    this.running.add(worker);
    void worker.ended.then(() => this.running.delete(worker));
    worker.listening.then(
      () => this.logger.event('a worker listens', { process_id: worker.processId }),
      // Callers that wait for it are told, too.
      () => undefined,
    );
    return worker;
  }

  /** Whenever the worker, or one that has taken its place, ends, another one takes its place, until the service stops. */
  private async keep(worker: AnyWorker): Promise<void> {
    let failures = 0;
    for (let current = worker; ; current = this.run()) {
      const ending = await current.ended;
      if (this.isStopping()) return;
      this.logger.warn(
        `a worker has ended unexpectedly (process ${current.processId}, ${ending}); another one takes its place`,
      );
      if (current.ageMs >= STABLE_AFTER_MS) failures = 0;
      await this.pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)]!, this.stopping.signal);
      failures += 1;
      if (this.isStopping()) return;
    }
  }
}

async function pauseFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  // Rejects when it is interrupted.
  await delay(milliseconds, undefined, { signal }).catch(() => undefined);
}
