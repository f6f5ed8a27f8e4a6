import { ProviderError } from '../provider-error.js';

/** Models may think for many minutes, for which some providers send nothing but signs of life; in milliseconds. */
const MAXIMUM_SILENCE_MS = 30 * 60_000;

/**
 * Limits how long the events of a stream may add nothing to its answer: each of them begins the wait for the next one again, so that
 * they could go on for ever. Only the time in which the gateway waits for the provider counts.
 */
export class NoProgressLimit {
  /** Of the waits since the last event that added something that have ended, in milliseconds. */
  private silent = 0;
  private waitingSince = 0;
  private readonly longest: number;

  /** @param gap how long the gateway waits for one event, in milliseconds: one wait must not be too long already */
  constructor(gap: number) {
    this.longest = Math.max(MAXIMUM_SILENCE_MS, gap);
  }

  /** Says that the gateway waits from now on. */
  wait(): void {
    this.waitingSince = performance.now();
  }

  /** Says that an event has added something. */
  reset(): void {
    this.silent = 0;
  }

  /**
   * Says that the wait was for an event that adds nothing.
   *
   * @throws ProviderError if that is so for too long
   */
  addSilence(): void {
    const now = performance.now();
    this.silent += now - this.waitingSince;
    this.waitingSince = now;
    if (this.silent <= this.longest) return;
    throw new ProviderError('timeout', `The provider sent nothing of its answer within ${this.longest} ms.`);
  }
}
