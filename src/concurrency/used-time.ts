import { LRUCache } from 'lru-cache';

/** Maximum number of organizations remembered. */
const ORGANIZATIONS = 10_000;

/** How used time is remembered. */
export interface UsedTimeOptions {
  /** The used time that is forgotten in each millisecond, in milliseconds. */
  readonly forgottenShare: number;
  /** The most that is remembered of one organization, in milliseconds. */
  readonly mostMs: number;
  /** Gives the time in milliseconds. */
  readonly now?: () => number;
}

/** How much time of a shared resource each organization has used lately. */
export class UsedTime {
  private readonly uses = new LRUCache<string, { readonly usedMs: number; readonly at: number }>({
    max: ORGANIZATIONS,
  });
  private readonly now: () => number;

  constructor(private readonly options: UsedTimeOptions) {
    this.now = options.now ?? ((): number => performance.now());
  }

  /** What is remembered of an organization, in milliseconds. */
  of(organizationId: string): number {
    const use = this.uses.get(organizationId);
    if (use === undefined) return 0;
    return Math.max(0, use.usedMs - (this.now() - use.at) * this.options.forgottenShare);
  }

  /** Records that an organization has used some more. */
  add(organizationId: string, milliseconds: number): void {
    const usedMs = Math.min(this.options.mostMs, this.of(organizationId) + milliseconds);
    this.uses.set(organizationId, { usedMs, at: this.now() });
  }
}
