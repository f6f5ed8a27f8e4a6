import { ProviderError } from '../../codecs/errors/provider-error.js';

/**
 * Limits how long a call waits for its provider. It runs only while the gateway waits: a client that reads slowly does not
 * use up the time of the provider.
 */
export class WaitDeadline {
  private timer: NodeJS.Timeout | undefined;
  private milliseconds = 0;
  private awaited: string | undefined;

  /** @param exceeded called with the error when a wait took longer than it may */
  constructor(private readonly exceeded: (error: ProviderError) => void) {}

  /**
   * Begins to wait.
   *
   * @param milliseconds how long at most
   * @param awaited what the provider owes, for the message of the error: "The provider sent <awaited> within ..."
   */
  start(milliseconds: number, awaited: string): void {
    this.awaited = awaited;
    // Every event of a stream comes here, and a new timer costs more than an old one that begins again.
    if (this.timer !== undefined && milliseconds === this.milliseconds) {
      this.timer.refresh();
      return;
    }
    this.end();
    this.awaited = awaited;
    this.milliseconds = milliseconds;
    this.timer = setTimeout(() => this.over(), milliseconds);
  }

  /** Stops waiting; another wait may {@link start}. */
  stop(): void {
    this.awaited = undefined;
  }

  /** Stops waiting and frees the timer (`stop` keeps it for the next wait). */
  end(): void {
    this.awaited = undefined;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private over(): void {
    const { awaited, milliseconds } = this;
    if (awaited === undefined) return;
    this.exceeded(new ProviderError('timeout', `The provider sent ${awaited} within ${milliseconds} ms.`));
  }
}
