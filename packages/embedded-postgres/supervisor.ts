import { setTimeout as sleep } from 'node:timers/promises';
import type { Postmaster } from './postmaster.js';
import { errorMessage } from './errors.js';

/** The delays before consecutive restarts, in milliseconds. After the last, the supervisor gives up. */
const BACK_OFF_MS: readonly number[] = [0, 250, 500, 1_000, 2_000, 5_000, 10_000, 10_000];
/** After running for this long, a server no longer counts as failing. */
const STABLE_AFTER_MS = 30_000;

/** The part of a running server that a supervisor uses. */
export type Supervised = Pick<Postmaster, 'ended' | 'stop' | 'requestStop'>;

/** Restarts a server whenever it ends unexpectedly. */
export class Supervisor {
  /** Resolves when the server has ended and will not be restarted: it was stopped, or kept failing. */
  readonly finished: Promise<void>;
  private readonly cancellation = new AbortController();
  private stopping?: Promise<void>;
  private failures = 0;

  /**
   * @param current the server, already running
   * @param relaunch starts it again at the same address
   * @param log receives a line for each end and each attempt
   * @param backOffMs see `BACK_OFF_MS`
   */
  constructor(
    private current: Supervised,
    private readonly relaunch: () => Promise<Supervised>,
    private readonly log: (message: string) => void,
    private readonly backOffMs: readonly number[] = BACK_OFF_MS,
  ) {
    process.on('exit', this.stopWithProcess);
    this.finished = this.supervise();
  }

  /** Stops the server permanently and resolves when it has ended. Further calls return the same promise. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  /** When the process exits without stop(), there is no time to wait, but the server is asked to stop. */
  private readonly stopWithProcess = (): void => this.current.requestStop();

  private get isStopping(): boolean {
    return this.cancellation.signal.aborted;
  }

  private async end(): Promise<void> {
    this.cancellation.abort();
    await this.current.stop();
    await this.finished;
  }

  private async supervise(): Promise<void> {
    let next: Supervised | undefined = this.current;
    while (next !== undefined) {
      this.current = next;
      const startedAt = Date.now();
      // stop() was called during the start.
      if (this.isStopping) await next.stop();
      const ending = await next.ended;
      if (this.isStopping) break;
      this.log(`PostgreSQL ended unexpectedly (${ending})`);
      if (Date.now() - startedAt >= STABLE_AFTER_MS) this.failures = 0;
      next = await this.restart();
    }
    process.off('exit', this.stopWithProcess);
  }

  private async restart(): Promise<Supervised | undefined> {
    while (!this.isStopping) {
      const delay = this.backOffMs[this.failures++];
      if (delay === undefined) {
        this.log(`PostgreSQL keeps failing: given up after ${this.backOffMs.length} restarts`);
        return undefined;
      }
      const isCutShort = await this.pause(delay);
      if (isCutShort) return undefined;
      try {
        const restarted = await this.relaunch();
        this.log(`PostgreSQL was restarted`);
        return restarted;
      } catch (error) {
        this.log(`PostgreSQL could not be restarted: ${errorMessage(error)}`);
      }
    }
    return undefined;
  }

  /** @returns whether stop() interrupted it */
  private async pause(milliseconds: number): Promise<boolean> {
    const { signal } = this.cancellation;
    // Rejects when it is interrupted.
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
    return this.isStopping;
  }
}
