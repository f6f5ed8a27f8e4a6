import type { FairQueue } from '../../concurrency/fair-queue.js';
import type { LoopTurns } from '../../concurrency/loop-turns.js';
import { ClientGoneError, clientSignal } from '../client-signal.js';
import type { BodyOrigin } from '../validation/rules.js';

/** From this size on each step that reads all of a body waits for a turn of its own, in bytes: less is done in some milliseconds. */
const LARGE_BODY = 256 * 1024;

/** Of the bodies that are larger one at a time is worked on in the process, in bytes. */
const VERY_LARGE_BODY = 1024 * 1024;

/** The work on one body, which shares the event loop with other work if the body is large (docs/limits.md#event-loop). */
export class BodyWork {
  private bytes = 0;
  private leave: (() => void) | undefined;

  /** @param veryLarge lets in one body at a time */
  constructor(
    private readonly turns: LoopTurns,
    private readonly veryLarge: FairQueue,
    private readonly origin: BodyOrigin,
  ) {}

  /** Waits for the turn of the first step. @param bytes the size of the body @throws as {@link turn} does */
  async begin(bytes: number): Promise<void> {
    this.bytes = bytes;
    const { organizationId, response } = this.origin;
    if (bytes > VERY_LARGE_BODY) this.leave = await this.veryLarge.enter(organizationId, clientSignal(response));
    await this.turn();
  }

  /** Waits until another step may hold the event loop. @throws ClientGoneError */
  async turn(): Promise<void> {
    await this.turns.nextIfLarge(this.origin.organizationId, this.bytes);
    if (this.origin.response.closed) throw new ClientGoneError();
  }

  /** Waits as {@link turn} does before a step that takes many milliseconds for a large body, and little for others. */
  async turnIfLarge(): Promise<void> {
    if (this.bytes >= LARGE_BODY) await this.turn();
  }

  /** Lets the next body in; called once nothing reads all of this one any more, whatever happened. */
  end(): void {
    this.leave?.();
    this.leave = undefined;
  }
}
