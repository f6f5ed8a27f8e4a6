import { LRUCache } from 'lru-cache';
import type { Block } from './block.js';
import { RecentUse } from './recent-use.js';

/** How many kinds of requests are remembered. Blocks of those that are forgotten are given back as idle ones. */
const MAXIMUM_KINDS = 10_000;

/** Requests that count on the same limits and counters in the same windows. */
export class RequestKind {
  readonly use: RecentUse;
  block: Block | undefined;
  /** When a request of the kind was seen last, in milliseconds on the clock of the process. */
  usedAt = -Infinity;

  constructor(
    readonly keyId: string,
    counters: number,
  ) {
    this.use = new RecentUse(counters);
  }
}

/** The blocks of this process, by the kind of their requests. */
export class BlockBook {
  private readonly kinds = new LRUCache<string, RequestKind>({ max: MAXIMUM_KINDS });

  /** @param name of the kind, which no other organization has @param counters how many counters its requests count on */
  kind(name: string, { keyId }: Pick<RequestKind, 'keyId'>, counters: number): RequestKind {
    const known = this.kinds.get(name) ?? new RequestKind(keyId, counters);
    this.kinds.set(name, known);
    return known;
  }

  /** The kinds that have a block. */
  leased(): readonly RequestKind[] {
    return [...this.kinds.values()].filter(({ block }) => block !== undefined);
  }
}
