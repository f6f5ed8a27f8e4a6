import { behindRequest, onItsOwn } from '../concurrency/request-scope.js';
import { errorMessage } from './database-failures.js';

interface RepeatedWorkOptions {
  /** The time between the beginnings of two runs, in milliseconds; a run that would overlap with another one is left out. */
  readonly intervalMs: number;
  /** What the log says of a run that fails, before the error. */
  readonly failure: string;
  readonly logger: { warn(message: string): void };
}

/** Background work that a process repeats until it stops. A run that fails is logged, and is tried again with the next one. */
export class RepeatedWork {
  private timer: NodeJS.Timeout | undefined;
  private isRunning = false;
  private isWoken = false;
  private isStopped = false;

  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly options: RepeatedWorkOptions,
  ) {}

  /** Begins to repeat the work, for the first time after one interval. The timer does not keep the process alive. */
  start(): void {
    this.timer = setInterval(() => void this.run(), this.options.intervalMs).unref();
  }

  /** Ends the repetition. A run that is under way goes on, and nothing is woken any more. */
  stop(): void {
    this.isStopped = true;
    clearInterval(this.timer);
  }

  /**
   * Has the work done as soon as what the calling request has changed can be seen. A run that is in progress may have missed it, so another one
   * follows.
   */
  wake(): void {
    behindRequest(() => {
      if (this.isStopped) return;
      this.isWoken = true;
      void this.run();
    });
  }

  /** Does the work once, unless a run is in progress, and once more if it is woken meanwhile. Never fails. */
  run(): Promise<void> {
    return onItsOwn(() => this.untilUnwoken());
  }

  private async untilUnwoken(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    do {
      this.isWoken = false;
      await this.once();
    } while (this.goesOn);
    this.isRunning = false;
  }

  /** Whether it was woken since the last round began. */
  private get goesOn(): boolean {
    return this.isWoken && !this.isStopped;
  }

  private async once(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      const { logger, failure } = this.options;
      logger.warn(`${failure}: ${errorMessage(error)}`);
    }
  }
}
