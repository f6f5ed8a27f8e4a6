import { countedBoth, type NeededAmounts } from './block.js';

/** What requests have needed, and how many they were. */
export interface NeededSum extends NeededAmounts {
  readonly requests: number;
}

/** The length of each of the two times that are looked back on, in milliseconds. */
const SPAN_MS = 1_000;

/** What the requests of one kind have needed within the last one to two seconds. */
export class RecentUse {
  private present: NeededSum;
  private before: NeededSum;
  private span = -Infinity;

  /** @param counters how many counters each request counts on */
  constructor(private readonly counters: number) {
    this.present = this.before = nothing(counters);
  }

  /** @param at milliseconds on a clock that never steps */
  add(needed: NeededAmounts, at: number): void {
    this.moveTo(at);
    this.present = sumOf(this.present, { ...needed, requests: 1 });
  }

  /** In the amounts of a block. @param at milliseconds on the clock of {@link add} */
  sum(at: number): NeededSum {
    this.moveTo(at);
    return sumOf(this.present, this.before);
  }

  private moveTo(at: number): void {
    const span = Math.floor(at / SPAN_MS);
    if (span === this.span) return;
    this.before = span === this.span + 1 ? this.present : nothing(this.counters);
    this.present = nothing(this.counters);
    this.span = span;
  }
}

function nothing(counters: number): NeededSum {
  const none = { amount: 0n, byokAmount: 0n };
  return { ...none, holds: Array.from({ length: counters }, () => none), requests: 0 };
}

function sumOf(one: NeededSum, other: NeededSum): NeededSum {
  return {
    ...added(one, other),
    holds: one.holds.map((hold, index) => added(hold, other.holds[index]!)),
    requests: one.requests + other.requests,
  };
}

function added(one: NeededAmounts['holds'][number], other: NeededAmounts['holds'][number]): typeof one {
  const [first, second] = [countedBoth(one), countedBoth(other)];
  return { amount: first.amount + second.amount, byokAmount: first.byokAmount + second.byokAmount };
}
