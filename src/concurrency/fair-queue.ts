import { LoopTimeout } from './loop-timeout.js';

/** The limits of a {@link FairQueue}. */
export interface FairQueueOptions {
  /** The class of the 429 for a full queue. */
  readonly overload: new (retryAfterSeconds: number) => Error;
  /** The maximum number of running jobs of all organizations. */
  readonly concurrency: number;
  /** The maximum number of running jobs of one organization. */
  readonly concurrencyPerOrganization: number;
  /** The maximum number of waiting jobs of one organization. */
  readonly waitingPerOrganization: number;
  /**
   * How long a job may wait, in milliseconds, not counting the time in which the event loop was blocked; undefined if other
   * limits bound the wait.
   */
  readonly longestWaitMs?: number;
  /** The Retry-After of the 429, in whole seconds. */
  readonly retryAfterSeconds: number;
}

/** The jobs of one organization. */
interface Lane {
  running: number;
  /** The jobs that wait, as functions that start them. */
  readonly waiting: Set<() => void>;
}

/**
 * Shares a scarce resource fairly between organizations (round robin): each has a bounded number of running and of waiting
 * jobs, and the waiting jobs of one organization do not delay those of another.
 */
export class FairQueue {
  private readonly lanes = new Map<string, Lane>();
  /** The organizations with waiting jobs, in the order of their turns. */
  private readonly turns = new Set<string>();
  private running = 0;

  constructor(private readonly options: FairQueueOptions) {}

  /**
   * Runs a job when it is its turn.
   *
   * @param signal removes the job from the queue when it is aborted before its turn; a running job has to handle the signal
   *   itself
   * @returns the result of the job
   * @throws {@link FairQueueOptions.overload} when too many jobs of the organization wait already, or the job has waited too long
   * @throws the signal's reason when it is aborted before the turn of the job
   */
  async run<Result>(organizationId: string, job: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const leave = await this.enter(organizationId, signal);
    try {
      return await job();
    } finally {
      leave();
    }
  }

  /**
   * Waits for a turn.
   *
   * @param signal ends the wait
   * @returns a function that ends the turn; must be called exactly once
   * @throws {@link FairQueueOptions.overload} when too many jobs of the organization wait already, or the job has waited too long
   * @throws the signal's reason when it is aborted before the turn
   */
  async enter(organizationId: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const atOnce = this.tryEnter(organizationId);
    if (atOnce !== undefined) return atOnce;
    const lane = this.laneOf(organizationId);
    await this.turnIn(organizationId, lane, signal);
    return () => this.release(organizationId, lane);
  }

  hasOthersWaiting(organizationId: string): boolean {
    return this.turns.size > (this.turns.has(organizationId) ? 1 : 0);
  }

  /**
   * Starts a turn if that is possible without waiting. @returns a function that ends the turn; undefined if there would be a
   * wait
   */
  tryEnter(organizationId: string): (() => void) | undefined {
    const lane = this.laneOf(organizationId);
    if (!this.hasRoomFor(lane)) {
      this.forget(organizationId, lane);
      return undefined;
    }
    this.take(lane);
    return () => this.release(organizationId, lane);
  }

  private laneOf(organizationId: string): Lane {
    let lane = this.lanes.get(organizationId);
    if (lane === undefined) {
      lane = { running: 0, waiting: new Set() };
      this.lanes.set(organizationId, lane);
    }
    return lane;
  }

  private hasRoomFor({ running }: Lane): boolean {
    return this.running < this.options.concurrency && running < this.options.concurrencyPerOrganization;
  }

  private take(lane: Lane): void {
    this.running += 1;
    lane.running += 1;
  }

  private turnIn(organizationId: string, lane: Lane, signal: AbortSignal | undefined): Promise<void> {
    const { overload: Overload, waitingPerOrganization, longestWaitMs, retryAfterSeconds } = this.options;
    if (lane.waiting.size >= waitingPerOrganization) throw new Overload(retryAfterSeconds);
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        timeout?.cancel();
        signal?.removeEventListener('abort', abort);
      };
      const leave = (error: Error): void => {
        stopWaiting();
        lane.waiting.delete(start);
        this.forget(organizationId, lane);
        reject(error);
      };
      const abort = (): void => leave(signal!.reason as Error);
      const timeout =
        longestWaitMs === undefined
          ? undefined
          : new LoopTimeout(longestWaitMs, () => leave(new Overload(retryAfterSeconds)));
      const start = (): void => {
        stopWaiting();
        resolve();
      };
      lane.waiting.add(start);
      this.turns.add(organizationId);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  private release(organizationId: string, lane: Lane): void {
    this.running -= 1;
    lane.running -= 1;
    // Organizations that began to wait meanwhile have had no turn yet.
    if (this.turns.size > 1 && this.turns.delete(organizationId)) this.turns.add(organizationId);
    this.startNext();
    this.forget(organizationId, lane);
  }

  private startNext(): void {
    for (const organizationId of this.turns) {
      const lane = this.lanes.get(organizationId)!;
      if (!this.hasRoomFor(lane)) continue;
      const [start] = lane.waiting;
      lane.waiting.delete(start!);
      this.endTurn(organizationId, lane);
      this.take(lane);
      start!();
      return;
    }
  }

  /** The organization's next job comes after one job of each other organization. */
  private endTurn(organizationId: string, lane: Lane): void {
    // A set that becomes empty, as that of one organization would for each of its jobs, leaves garbage to a major collection.
    if (this.turns.size === 1 && lane.waiting.size > 0) return;
    this.turns.delete(organizationId);
    if (lane.waiting.size > 0) this.turns.add(organizationId);
  }

  private forget(organizationId: string, lane: Lane): void {
    if (lane.waiting.size > 0) return;
    this.turns.delete(organizationId);
    if (lane.running === 0) this.lanes.delete(organizationId);
  }
}
