import { Injectable } from '@nestjs/common';

/** Work that takes longer is followed by a rest of the same length, in milliseconds. */
const SHORT_TURN_MS = 8;

/** The longest rest, in milliseconds, so that work goes on also on a machine that is always late. */
const MAXIMUM_REST_MS = 100;

/** How long small pieces of work may take in one round of the loop together, in milliseconds. */
const ROUND_MS = 10;

/** From this size on the work on a body waits for its turn, in bytes: less is done in a millisecond. */
const LARGE_BODY_BYTES = 16_384;

/**
 * Shares the event loop between pieces of work that hold it for milliseconds: one piece in each round of the loop, organizations
 * in turn. A piece that was long is followed by a rest in which only others use the loop. So however much of such work
 * organizations bring, a small request waits for one or two pieces of it (docs/limits.md#event-loop).
 */
@Injectable()
export class LoopTurns {
  /** Who waits, by organization, in the order of their turns. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** From the beginning of a piece until another one may begin. */
  private isTaken = false;
  /** When the first of the small pieces of this round began; undefined before it. */
  private roundBegan: number | undefined;

  /** Waits for the turn of a piece of work, which is done without waiting for anything else, right after this. */
  next(organizationId: string): Promise<void> {
    if (!this.isTaken) {
      this.take();
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const lane = this.waiting.get(organizationId);
      if (lane === undefined) this.waiting.set(organizationId, [resolve]);
      else lane.push(resolve);
    });
  }

  /** The same for work on a body; no wait for a small one. @param bytes the size of the body */
  async nextOf(organizationId: string, bytes: number): Promise<void> {
    if (bytes >= LARGE_BODY_BYTES) await this.next(organizationId);
  }

  /**
   * Waits for the next round of the loop where the small pieces of this one, such as the chunks of streams, have taken long enough
   * together. Each of them asks when it is done, so that it never waits itself.
   *
   * @returns undefined where the round goes on
   */
  afterPiece(): Promise<void> | undefined {
    if (this.roundBegan === undefined) {
      this.roundBegan = performance.now();
      setImmediate(() => (this.roundBegan = undefined));
      return undefined;
    }
    if (performance.now() - this.roundBegan < ROUND_MS) return undefined;
    return new Promise((resolve) => setImmediate(resolve));
  }

  private take(): void {
    this.isTaken = true;
    const begun = performance.now();
    setImmediate(() => {
      const taken = performance.now() - begun;
      if (taken <= SHORT_TURN_MS) this.pass();
      else setTimeout(() => this.pass(), Math.min(taken, MAXIMUM_REST_MS));
    });
  }

  private pass(): void {
    this.isTaken = false;
    const [first] = this.waiting;
    if (first === undefined) return;
    const [organizationId, lane] = first;
    const begin = lane.shift()!;
    // The organization's next piece comes after one of each other organization.
    this.waiting.delete(organizationId);
    if (lane.length > 0) this.waiting.set(organizationId, lane);
    this.take();
    begin();
  }
}
