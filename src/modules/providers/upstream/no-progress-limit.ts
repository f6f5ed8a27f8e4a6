import { ProviderError } from '../../codecs/errors/provider-error.js';

/** The longest time without content, in milliseconds: models may think for many minutes, in which some providers send only signs of life. */
const MAXIMUM_SILENCE_MS = 30 * 60_000;

/**
 * Limits how long a stream may send only events without content: each of them restarts the limit of the wait for the next event, so without
 * this limit they could continue for ever. Only time in which the gateway waits for the provider counts.
 */
export class NoProgressLimit {
  /** Time waited since the last event with content, in ms (finished waits only). */
  private silent = 0;
  private waitingSince = 0;
  private readonly longest: number;

  /** @param gap how long the gateway waits for one event, in milliseconds; this limit is never shorter */
  constructor(gap: number) {
    this.longest = Math.max(MAXIMUM_SILENCE_MS, gap);
  }

  /** Begins a wait for the next event. */
  wait(): void {
    this.waitingSince = performance.now();
  }

  /** Begins the limit again, after an event with content. */
  reset(): void {
    this.silent = 0;
  }

  /**
   * Adds the wait for an event without content, and begins the next wait.
   *
   * @throws ProviderError once such waits exceed the limit
   */
  addSilence(): void {
    const now = performance.now();
    this.silent += now - this.waitingSince;
    this.waitingSince = now;
    if (this.silent <= this.longest) return;
    throw new ProviderError('timeout', `The provider sent nothing of its answer within ${this.longest} ms.`);
  }
}
