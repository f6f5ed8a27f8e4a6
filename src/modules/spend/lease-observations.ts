/** A lease as it was read; without a version where a process has reservations and no lease. */
export interface ObservedLease {
  readonly processId: string;
  /** Another text after each change of the lease. */
  readonly version: string | null;
}

/** A lease, and for how long it has been seen without a change, in milliseconds. */
export interface UnchangedLease extends ObservedLease {
  readonly unchangedMs: number;
}

/**
 * What a process has seen of the leases of others: for how long each has stayed as it is, by the clock of this process alone. So no clock
 * that steps, of the database or of another process, makes a lease that is being renewed look old.
 */
export class LeaseObservations {
  private seen = new Map<string, UnchangedLease>();
  private lastReadAt = -Infinity;

  /**
   * @param longestGapMs how much of the time between two reads counts at most, in milliseconds: before a longer one the database may have
   *   been out of reach, for the others too, or this process suspended
   */
  constructor(private readonly longestGapMs: number) {}

  /**
   * Takes what was read. A lease that is not among it any more is forgotten.
   *
   * @param begunAt when the read began, in milliseconds on a clock that never steps
   * @param endedAt when it ended
   * @returns the leases, with the time that they are known not to have changed for
   */
  add(leases: readonly ObservedLease[], begunAt: number, endedAt: number): UnchangedLease[] {
    const gap = Math.min(Math.max(0, begunAt - this.lastReadAt), this.longestGapMs);
    const now = leases.map((lease) => {
      const before = this.seen.get(lease.processId);
      return { ...lease, unchangedMs: before?.version === lease.version ? before.unchangedMs + gap : 0 };
    });
    this.seen = new Map(now.map((lease) => [lease.processId, lease]));
    this.lastReadAt = endedAt;
    return now;
  }
}
