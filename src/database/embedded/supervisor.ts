import { setTimeout as sleep } from 'node:timers/promises';
import type { Postmaster } from './postmaster.js';
import { errorMessage } from '../system-error.js';

/** How long to wait, in milliseconds, before each of the restarts that follow one another; after the last, give up. */
const BACK_OFF_MS: readonly number[] = [0, 250, 500, 1_000, 2_000, 5_000, 10_000, 10_000];
/** A server that has run for this long was not part of a series of failures. */
const STABLE_AFTER_MS = 30_000;

/** What a supervisor needs of a running server. */
export type Supervised = Pick<Postmaster, 'ended' | 'stop' | 'requestStop'>;

/** Keeps a server running: starts it again whenever it ends without having been asked to. */
export class Supervisor {
  /** Resolves when the server has ended and will not be started again: it was stopped, or kept failing. */
  readonly finished: Promise<void>;
  private readonly cancellation = new AbortController();
  private stopping?: Promise<void>;
  private failures = 0;

  /**
   * @param current the server, already running
   * @param relaunch starts it again, where clients look for it
   * @param log takes a line for each end and each attempt
   * @param name what the lines call it
   * @param backOffMs see `BACK_OFF_MS`
   */
  constructor(
    private current: Supervised,
    private readonly relaunch: () => Promise<Supervised>,
    private readonly log: (message: string) => void,
    private readonly name: string,
    private readonly backOffMs: readonly number[] = BACK_OFF_MS,
  ) {
    process.on('exit', this.stopWithProcess);
    this.finished = this.supervise();
  }

  /** Stops the server for good and resolves when it has ended. Any further call gives the same promise. */
  stop(): Promise<void> {
    this.stopping ??= this.end();
    return this.stopping;
  }

  /** A process that exits without stop() has no time to wait, but need not leave a server running behind. */
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
      // Asked to stop while it was starting.
      if (this.isStopping) await next.stop();
      const ending = await next.ended;
      if (this.isStopping) break;
      this.log(`${this.name} ended unexpectedly (${ending})`);
      if (Date.now() - startedAt >= STABLE_AFTER_MS) this.failures = 0;
      next = await this.restart();
    }
    process.off('exit', this.stopWithProcess);
  }

  private async restart(): Promise<Supervised | undefined> {
    while (!this.isStopping) {
      const delay = this.backOffMs[this.failures++];
      if (delay === undefined) {
        this.log(`${this.name} keeps failing: given up after ${this.backOffMs.length} restarts`);
        return undefined;
      }
      const isCutShort = await this.pause(delay);
      if (isCutShort) return undefined;
      try {
        const restarted = await this.relaunch();
        this.log(`${this.name} was restarted`);
        return restarted;
      } catch (error) {
        this.log(`${this.name} could not be restarted: ${errorMessage(error)}`);
      }
    }
    return undefined;
  }

  /** @returns whether stop() cut it short */
  private async pause(milliseconds: number): Promise<boolean> {
    const { signal } = this.cancellation;
    // Rejects when it is cut short.
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
    return this.isStopping;
  }
}
