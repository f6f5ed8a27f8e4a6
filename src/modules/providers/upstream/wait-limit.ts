import { ProviderError } from '../provider-error.js';

/**
 * Limits how long a call waits for its provider. It runs only while the gateway waits: a client that reads slowly does not
 * use up the time of the provider.
 */
export class WaitLimit {
  private timer: NodeJS.Timeout | undefined;

  /** @param exceeded called with the error when a wait took longer than it may */
  constructor(private readonly exceeded: (error: ProviderError) => void) {}

  /**
   * Begins to wait.
   *
   * @param milliseconds how long at most
   * @param awaited what the provider owes, for the message of the error: "The provider sent <awaited> within ..."
   */
  start(milliseconds: number, awaited: string): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.exceeded(new ProviderError('timeout', `The provider sent ${awaited} within ${milliseconds} ms.`));
    }, milliseconds);
  }

  /** Ends the wait, if there is one. */
  stop(): void {
    clearTimeout(this.timer);
  }
}
