import type { HeldCounter } from '../open-counters.js';
import { largerOf } from '../decimal-amount.js';
import type { ReservedAmounts } from '../worst-case.js';

/**
 * What is held of limits and counters, in their smallest units: `amount` where usage through own provider keys does not count. In a block
 * `byokAmount` is what is held where it counts, so it is never less.
 */
export interface HeldAmounts extends ReservedAmounts {
  readonly holds: readonly HeldCounter[];
}

/** What a request needs of a block: the amounts of each of its counters, in their order, beside its cost. */
export type NeededAmounts = ReservedAmounts & { readonly holds: readonly ReservedAmounts[] };

/** What is reserved ahead for the requests of one kind that this process will admit next (docs/budgets.md#blocks). */
export class Block {
  constructor(
    readonly id: string,
    /** The version of the limits that it was made under. */
    readonly limitsVersion: string,
    private left: HeldAmounts,
  ) {}

  get amounts(): HeldAmounts {
    return this.left;
  }

  /** Takes what a request needs. @returns false where there is too little: then nothing is taken */
  take(needed: NeededAmounts): boolean {
    const cost = without(this.left, needed);
    const rests = this.left.holds.map((hold, index) => without(hold, needed.holds[index]!));
    if (cost === undefined || rests.includes(undefined)) return false;
    this.left = { ...cost, holds: this.left.holds.map((hold, index) => ({ ...hold, ...rests[index]! })) };
    return true;
  }
}

/** Amounts as they are counted in a block. */
export function countedBoth({ amount, byokAmount }: ReservedAmounts): ReservedAmounts {
  return { amount, byokAmount: largerOf(amount, byokAmount) };
}

/** @returns undefined where too little is there, also where the rest would count for more than it is */
function without(left: ReservedAmounts, needed: ReservedAmounts): ReservedAmounts | undefined {
  const taken = countedBoth(needed);
  const rest = { amount: left.amount - taken.amount, byokAmount: left.byokAmount - taken.byokAmount };
  return rest.amount < 0n || rest.byokAmount < rest.amount ? undefined : rest;
}
