import type { ServiceLogger } from '../http/logging/service-logger.js';

/** What a process opens and has to close again. */
export interface Closable {
  close(): Promise<void>;
}

/** What a process has opened, and how all of it is closed again: in reverse, and once. */
export class Shutdown {
  private readonly steps: (() => Promise<void>)[] = [];
  private closing: Promise<void> | undefined;

  /** Whether the process is on its way out. */
  get hasBegun(): boolean {
    return this.closing !== undefined;
  }

  /**
   * Waits for something to be opened, and remembers to close it.
   *
   * @returns what was opened; it never resolves when the process is on its way out by then, and so goes no further
   */
  async open<T extends Closable>(opening: Promise<T>): Promise<T> {
    this.steps.unshift(async () => {
      // What could not be opened is told to whoever waits for it.
      const opened = await opening.catch(() => undefined);
      await opened?.close();
    });
    const opened = await opening;
    return this.hasBegun ? new Promise<never>(() => undefined) : opened;
  }

  /** Closes everything. Any further call waits for the first. */
  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  /** Ends the process with exit code 0 when it is asked to stop, also while it still starts. */
  onSignals(logger: ServiceLogger): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (this.hasBegun) return;
        logger.event('stopping', { signal });
        void this.close().then(async () => {
          logger.event('stopped');
          await logger.flush();
          process.exit(0);
        });
      });
    }
  }

  /**
   * Ends the process with exit code 1 when it loses what it cannot do without: whoever runs it starts it anew, and until
   * then it would only answer errors.
   *
   * @param gone resolves when that is lost, and may when it is closed
   */
  onLoss(gone: Promise<void>, logger: ServiceLogger, message: string): void {
    void gone.then(async () => {
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
