/** Who waits for a turn. Organizations are in turn, however many turns one of them waits for. */
export class TurnQueue {
  /** The waiting callers by organization, in the order of their turns. */
  private readonly lanes = new Map<string, (() => void)[]>();

  get isEmpty(): boolean {
    return this.lanes.size === 0;
  }

  add(organizationId: string, begin: () => void): void {
    const lane = this.lanes.get(organizationId);
    if (lane === undefined) this.lanes.set(organizationId, [begin]);
    else lane.push(begin);
  }

  /** @returns what begins the next turn; undefined if none waits */
  take(): (() => void) | undefined {
    const [first] = this.lanes;
    if (first === undefined) return undefined;
    const [organizationId, lane] = first;
    const begin = lane.shift()!;
    // The organization's next turn comes after one of each other organization.
    this.lanes.delete(organizationId);
    if (lane.length > 0) this.lanes.set(organizationId, lane);
    return begin;
  }
}
