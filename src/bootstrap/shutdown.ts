import type { ServiceLogger } from '../telemetry/logging/service-logger.js';

/** A resource that a process opens and has to close. */
export interface Closable {
  close(): Promise<void>;
}

/** Closes the resources of a process once, in reverse order of opening. */
export class Shutdown {
  private readonly steps: (() => Promise<void>)[] = [];
  private closing: Promise<void> | undefined;
  private logger: ServiceLogger | undefined;

  /** The signal that the process was asked to stop with; undefined before. */
  signal: NodeJS.Signals | undefined;

  /** Whether the process is shutting down. */
  get hasBegun(): boolean {
    return this.closing !== undefined;
  }

  /**
   * Waits for a resource to open, and registers it to be closed.
   *
   * @returns the resource; the promise never resolves once a shutdown has begun, so that the start does not continue
   */
  async open<T extends Closable>(opening: Promise<T>): Promise<T> {
    this.steps.unshift(async () => {
      // The caller of `open` handles an error while opening.
      const opened = await opening.catch(() => undefined);
      await opened?.close();
    });
    const opened = await opening;
    return this.hasBegun ? new Promise<never>(() => undefined) : opened;
  }

  /** Closes all resources. Further calls wait for the first. */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  /** Says from now on in the log what happens. */
  logTo(logger: ServiceLogger): void {
    this.logger = logger;
  }

  /**
   * Ends the process with exit code 0 on SIGTERM and SIGINT, also during the start. To be called before anything else is loaded: until
   * then a SIGTERM would end the process without a word, and be ignored by the first process of a container.
   */
  onSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (this.hasBegun) return;
        this.signal = signal;
        this.logger?.event('stopping', { signal });
        void this.close().then(async () => {
          this.logger?.event('stopped');
          await this.logger?.flush();
          process.exit(0);
        });
      });
    }
  }

  /**
   * Ends the process with exit code 1 when it loses something that it depends on, so that the platform restarts it;
   * otherwise it would only respond with errors.
   *
   * @param lost resolves when the dependency is lost; it may also resolve when it is closed
   */
  onLoss(lost: Promise<void>, logger: ServiceLogger, message: string): void {
    void lost.then(async () => {
      if (this.hasBegun) return;
      logger.fatal(message);
      await this.close();
      await logger.flush();
      process.exit(1);
    });
  }

  private async closeAll(): Promise<void> {
    for (const close of this.steps) await close();
  }
}
