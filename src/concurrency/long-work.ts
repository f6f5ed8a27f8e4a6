import type { LoopTurns } from './loop-turns.js';

/** The longest time for which work holds the event loop, in milliseconds. */
const TURN_MS = 4;

/** The time before the first rest, in milliseconds: small texts need less, and much work can begin in one round of the loop. */
const FIRST_MS = 1;

/** Work that takes as many turns of the event loop as it needs. The code that does it often checks {@link LongWork.mustRest}. */
export class LongWork {
  private endsAt = performance.now() + FIRST_MS;

  /**
   * @param organizationId the organization that takes the turns
   * @param signal ends the work: its reason is thrown at the next rest
   */
  constructor(
    private readonly turns: LoopTurns,
    private readonly organizationId: string,
    private readonly signal?: AbortSignal,
  ) {}

  /** Whether the turn is over, so that the work must {@link rest} before it goes on. */
  get mustRest(): boolean {
    return performance.now() >= this.endsAt;
  }

  /** Lets others use the event loop. @throws the reason of the signal when that is aborted */
  async rest(): Promise<void> {
    await this.turns.next(this.organizationId);
    this.signal?.throwIfAborted();
    this.endsAt = performance.now() + TURN_MS;
  }
}
