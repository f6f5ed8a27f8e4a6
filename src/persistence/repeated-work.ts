import { errorMessage } from './database-failures.js';

/** How background work is repeated. */
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

  constructor(
    private readonly work: () => Promise<unknown>,
    private readonly options: RepeatedWorkOptions,
  ) {}

  /** Begins to repeat the work, for the first time after one interval. The timer does not keep the process alive. */
  start(): void {
    this.timer = setInterval(() => void this.run(), this.options.intervalMs).unref();
  }

  /** Ends the repetition. A run that is under way goes on. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** Does the work once, unless a run is in progress. Never fails. */
  async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      await this.work();
    } catch (error) {
      const { logger, failure } = this.options;
      logger.warn(`${failure}: ${errorMessage(error)}`);
    } finally {
      this.isRunning = false;
    }
  }
}
