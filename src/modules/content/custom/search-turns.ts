import { UsedTime } from '../../../concurrency/used-time.js';

/** The thread for organizations that have searched little lately, and the one for all others. */
const THREADS = ['quick', 'patient'] as const;

export type ThreadName = (typeof THREADS)[number];

/** Who has searched for less than this lately, in milliseconds, has searched little. */
export const LITTLE_MS = 1_000;

/** A tenth of a core is little at any time, and after five seconds of searching it takes forty until that is forgotten. */
const USED_TIME = { forgottenShare: 0.1, mostMs: 5_000 };

/** A thread that an organization has for itself, until it leaves. */
export interface SearchTurn {
  readonly thread: ThreadName;
  /** Ends the turn; must be called exactly once. @param usedMs how long the thread has searched, in milliseconds */
  leave(usedMs: number): void;
}

type StartTurn = (thread: ThreadName) => void;

/**
 * Shares two threads between organizations. The one that has used least time lately is next, so that an organization waits for one turn
 * of another and not for all that the other brings; organizations that have used much time wait for the second thread.
 */
export class SearchTurns {
  private readonly used: UsedTime;
  /** The searches that wait, by organization, in the order in which they came. */
  private readonly waiting = new Map<string, Set<StartTurn>>();
  /** The organizations that have a turn, at most one each, by thread. */
  private readonly running = new Map<ThreadName, string>();

  /** @param now gives the time in milliseconds */
  constructor(now?: () => number) {
    this.used = new UsedTime({ ...USED_TIME, ...(now !== undefined && { now }) });
  }

  /**
   * Waits for a turn.
   *
   * @param signal ends the wait
   * @throws the reason of the signal when it is aborted before the turn
   */
  async enter(organizationId: string, signal?: AbortSignal): Promise<SearchTurn> {
    signal?.throwIfAborted();
    const thread = await new Promise<ThreadName>((resolve, reject) => {
      const waiting = this.waiting.get(organizationId) ?? new Set();
      const stopWaiting = (): void => {
        signal?.removeEventListener('abort', abort);
        waiting.delete(start);
        if (waiting.size === 0) this.waiting.delete(organizationId);
      };
      const start = (name: ThreadName): void => {
        stopWaiting();
        resolve(name);
      };
      const abort = (): void => {
        stopWaiting();
        reject(signal!.reason as Error);
      };
      this.waiting.set(organizationId, waiting.add(start));
      signal?.addEventListener('abort', abort, { once: true });
      this.startNext();
    });
    return { thread, leave: (usedMs) => this.leave(organizationId, thread, usedMs) };
  }

  private leave(organizationId: string, thread: ThreadName, usedMs: number): void {
    this.running.delete(thread);
    this.used.add(organizationId, usedMs);
    this.startNext();
  }

  private startNext(): void {
    for (const thread of THREADS) {
      if (this.running.has(thread)) continue;
      const next = this.nextFor(thread);
      if (next === undefined) continue;
      this.running.set(thread, next);
      const [start] = this.waiting.get(next)!;
      start!(thread);
    }
  }

  /** The organization that has used least of those that wait for a thread. */
  private nextFor(thread: ThreadName): string | undefined {
    const running = new Set(this.running.values());
    let next: string | undefined;
    let least = Infinity;
    for (const organizationId of this.waiting.keys()) {
      const used = this.used.of(organizationId);
      const itsThread = used < LITTLE_MS ? 'quick' : 'patient';
      if (itsThread !== thread || used >= least || running.has(organizationId)) continue;
      [next, least] = [organizationId, used];
    }
    return next;
  }
}
