import { RateLimitExceededError } from '../http/errors/domain-error.js';

/** How much of something that all organizations share runs and waits at once. */
export interface FairQueueOptions {
  /** The reason of the 429 that a full queue is answered with: a stable snake_case code (docs/api-design.md). */
  readonly reason: string;
  /** How many jobs run at once, of all organizations together. */
  readonly concurrency: number;
  /** How many of them may be of one organization. */
  readonly concurrencyPerOrganization: number;
  /** How many jobs of one organization may wait. */
  readonly waitingPerOrganization: number;
  /** When an organization whose queue is full may try again, in whole seconds. */
  readonly retryAfterSeconds: number;
}

/** A job that waits for its turn. */
interface WaitingJob {
  start(): void;
}

/** What one organization has in the queue. */
interface Lane {
  running: number;
  readonly waiting: Set<WaitingJob>;
}

/**
 * Shares something scarce between organizations: each has a bounded number of jobs that run and a bounded number that wait,
 * and organizations take turns, so that the queue of one is no other's waiting time.
 */
export class FairQueue {
  private readonly lanes = new Map<string, Lane>();
  /** The organizations with jobs that wait, in the order of their turns. */
  private readonly turns = new Set<string>();
  private running = 0;

  constructor(private readonly options: FairQueueOptions) {}

  /**
   * Runs a job when it is its turn.
   *
   * @param signal takes the job out of the queue when it is aborted before its turn; ending a job that runs is up to the job
   * @returns what the job returns
   * @throws RateLimitExceededError when too many jobs of the organization wait already
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
   * @returns ends the turn; must be called exactly once
   * @throws RateLimitExceededError when too many jobs of the organization wait already
   * @throws the signal's reason when it is aborted before the turn
   */
  async enter(organizationId: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const atOnce = this.enterAtOnce(organizationId);
    if (atOnce !== undefined) return atOnce;
    const lane = this.laneOf(organizationId);
    await this.turnIn(organizationId, lane, signal);
    return () => this.release(organizationId, lane);
  }

  /** Takes a turn where there is one without waiting. @returns ends the turn; undefined where there is none */
  enterAtOnce(organizationId: string): (() => void) | undefined {
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
    const { reason, waitingPerOrganization, retryAfterSeconds } = this.options;
    if (lane.waiting.size >= waitingPerOrganization) throw new RateLimitExceededError(reason, retryAfterSeconds);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        lane.waiting.delete(job);
        this.forget(organizationId, lane);
        reject(signal!.reason as Error);
      };
      const job = {
        start: (): void => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      lane.waiting.add(job);
      this.turns.add(organizationId);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private release(organizationId: string, lane: Lane): void {
    this.running -= 1;
    lane.running -= 1;
    this.startNext();
    this.forget(organizationId, lane);
  }

  private startNext(): void {
    for (const organizationId of this.turns) {
      const lane = this.lanes.get(organizationId)!;
      if (!this.hasRoomFor(lane)) continue;
      const [job] = lane.waiting;
      lane.waiting.delete(job!);
      // The next turn of the organization, if it has one, comes after those of all others.
      this.turns.delete(organizationId);
      if (lane.waiting.size > 0) this.turns.add(organizationId);
      this.take(lane);
      job!.start();
      return;
    }
  }

  private forget(organizationId: string, lane: Lane): void {
    if (lane.waiting.size > 0) return;
    this.turns.delete(organizationId);
    if (lane.running === 0) this.lanes.delete(organizationId);
  }
}
