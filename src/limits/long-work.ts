import type { LoopTurns } from './loop-turns.js';

/** How long it may hold the event loop at a time, in milliseconds. */
const TURN_MS = 4;

/** How long it may go on before its first rest, in milliseconds: small texts need less, and much may begin in one round. */
const FIRST_MS = 1;

/** Work that takes as many turns as it needs. The code that does it checks often whether its turn is over. */
export class LongWork {
  private endsAt = performance.now() + FIRST_MS;

  /**
   * @param organizationId the organization whose turns they are
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
