import { Injectable } from '@nestjs/common';
import { TurnQueue } from './turn-queue.js';

/** The longest piece of work that is not followed by a rest, in milliseconds. A longer one is followed by a rest of the same length. */
const SHORT_TURN_MS = 8;

/** The longest rest, in milliseconds, so that work continues even on a machine that is always late. */
const MAXIMUM_REST_MS = 100;

/** How long small pieces of work may take in one round of the loop together, in milliseconds. */
const ROUND_MS = 10;

/** From how long on a round of small pieces is followed by a rest of the same length, in milliseconds. */
const LONG_ROUND_MS = 3 * ROUND_MS;

/**
 * The rounds of the loop that are left to other work after a round of small pieces, unless they take {@link ROUND_MS} together: the loop accepts
 * one connection at a time, and a small request needs several rounds.
 */
const ROUNDS_OF_OTHERS = 16;

/** The size from which work on a body waits for its turn, in bytes: a smaller one takes less than a millisecond. */
const LARGE_BODY_BYTES = 16_384;

/**
 * Shares the event loop between pieces of work that hold it for milliseconds: one piece in each round of the loop, organizations
 * in turn. A piece that was long is followed by a rest in which only others use the loop. So however much of such work
 * organizations bring, a small request waits for one or two pieces of it (docs/limits.md#event-loop).
 */
@Injectable()
export class LoopTurns {
  /** The callers that wait with large work. */
  private readonly waiting = new TurnQueue();
  /** The small pieces that wait. */
  private readonly pieces = new TurnQueue();
  /** Whether a piece of large work has begun, and no other one may begin yet. */
  private isTaken = false;
  /** When the first of the small pieces of this round began; undefined before it. */
  private roundBegan: number | undefined;

  /** Waits for the turn of a piece of work, which is done without waiting for anything else, right after this. */
  next(organizationId: string): Promise<void> {
    if (!this.isTaken) {
      this.take();
      return Promise.resolve();
    }
    return new Promise((resolve) => this.waiting.add(organizationId, resolve));
  }

  /** Waits for a turn for work on a body or a part of one, unless that is small. @param bytes its size */
  async nextIfLarge(organizationId: string, bytes: number): Promise<void> {
    if (bytes >= LARGE_BODY_BYTES) await this.next(organizationId);
  }

  /**
   * Does a small piece of work, such as what the next event of a stream needs: at once, unless those of this round of the loop have
   * taken long enough together, or others wait already. Then it waits for a later round, organizations in turn.
   *
   * @param begin begins the piece, which ends before anything else is waited for; must not throw
   * @returns whether it was done at once
   */
  piece(organizationId: string, begin: () => void): boolean {
    const isAtOnce = this.pieces.isEmpty && this.roundGoesOn();
    if (isAtOnce) begin();
    else this.pieces.add(organizationId, begin);
    return isAtOnce;
  }

  private roundGoesOn(): boolean {
    if (this.roundBegan === undefined) this.beginRound();
    return performance.now() - this.roundBegan! < ROUND_MS;
  }

  private beginRound(): void {
    this.roundBegan = performance.now();
    setImmediate(() => this.endRound());
  }

  private endRound(): void {
    const taken = performance.now() - this.roundBegan!;
    this.roundBegan = undefined;
    if (this.pieces.isEmpty) return;
    if (taken < LONG_ROUND_MS) this.leaveToOthers(ROUNDS_OF_OTHERS, performance.now() + ROUND_MS);
    // A piece was not small at all: a round in which one begins must not come again before others have had as long.
    else setTimeout(() => this.leaveToOthers(0, 0), Math.min(taken, MAXIMUM_REST_MS));
  }

  private leaveToOthers(rounds: number, end: number): void {
    if (rounds > 0 && performance.now() < end) {
      setImmediate(() => this.leaveToOthers(rounds - 1, end));
      return;
    }
    this.beginRound();
    this.beginPieces();
  }

  /** Begins those that wait, one when all that followed from another one is done, for as long as the round goes on. */
  private beginPieces(): void {
    this.pieces.take()?.();
    if (this.pieces.isEmpty) return;
    // Ticks that a microtask adds run after all other microtasks: the piece has ended then.
    queueMicrotask(() => process.nextTick(() => this.roundGoesOn() && this.beginPieces()));
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
    const begin = this.waiting.take();
    if (begin === undefined) return;
    this.take();
    begin();
  }
}
