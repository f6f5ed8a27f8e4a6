import { overflowOf } from '../limits/combination.js';
import type { AskedCounter, CounterPlace } from '../limits/compiled-limit.js';
import {
  ALL_KEYS,
  type CounterAddition,
  type CounterState,
  type LimitHold,
  MAXIMUM_COMBINATIONS,
} from '../limits/limit-counters.js';
import { counterExpiryOf } from '../limits/limit-windows.js';
import { largerOf, textOfUnits, unitsOf } from './decimal-amount.js';
import type { ReservedAmounts } from './worst-case.js';

/** What is held of a counter for a request, in 1e-18 of the measure of its limit. */
export interface HeldCounter extends ReservedAmounts {
  readonly counter: AskedCounter;
  /** The candidates whose use counts, by their numbers. */
  readonly candidates: readonly number[];
}

/** A counter that a request asks for, and of which key. */
interface Asking {
  readonly counter: AskedCounter;
  readonly keyId: string;
}

/** A counter while requests are admitted. */
class OpenCounter {
  amount: bigint;
  byokAmount: bigint;
  reserved: bigint;
  reservedWithByok: bigint;
  /** The amount of the limit, or of the exception that applies. */
  readonly limit: bigint;
  readonly hasException: boolean;

  /** @param listed the amount of the limit */
  constructor(state: CounterState, listed: number) {
    this.hasException = state.exception !== null;
    this.limit = unitsOf(state.exception ?? String(listed));
    this.amount = unitsOf(state.amount);
    this.byokAmount = unitsOf(state.byokAmount);
    this.reserved = unitsOf(state.reserved);
    this.reservedWithByok = unitsOf(state.reservedWithByok);
  }

  used(includesByok: boolean): bigint {
    return this.amount + (includesByok ? this.byokAmount : 0n);
  }

  remaining(includesByok: boolean): bigint {
    return this.limit - this.used(includesByok) - (includesByok ? this.reservedWithByok : this.reserved);
  }
}

/** The name of a counter, which no other one of its organization has. */
export function counterNameOf({ limitId, combination, windowStart }: CounterPlace): string {
  return `${limitId} ${combination} ${windowStart.getTime()}`;
}

/** The counter that stands for further combinations of a key. */
function overflowFor({ counter, keyId }: Asking): AskedCounter {
  return { ...counter, combination: overflowOf(keyId), values: {} };
}

/** The counters that a batch of requests may need, each once. */
export class CounterPlaces {
  readonly places: AskedCounter[] = [];
  /** Whose numbers of counters are needed: of those whose clients may invent combinations. */
  readonly keyIds: string[] = [];

  constructor(askings: readonly Asking[]) {
    const known = new Set<string>();
    const keys = new Set<string>();
    const add = (counter: AskedCounter): void => {
      if (known.has(counterNameOf(counter))) return;
      known.add(counterNameOf(counter));
      this.places.push(counter);
    };
    for (const asking of askings) {
      add(asking.counter);
      if (asking.counter.limit.hasInventedCombinations) {
        add(overflowFor(asking));
        keys.add(asking.keyId);
      }
    }
    if (keys.size > 0) this.keyIds.push(ALL_KEYS, ...keys);
  }
}

/** The counters of a batch of requests, with what those that were admitted before have left. */
export class OpenCounters {
  /** Whether a counter was made. */
  hasNew = false;
  private readonly counters = new Map<string, OpenCounter>();
  private readonly missing = new Set<string>();
  private readonly populations: Map<string, number>;
  private readonly added = new Map<string, { counter: AskedCounter; keyId: string; amounts: ReservedAmounts }>();
  private readonly made = new Map<string, number>();

  /** @param states of the places, in their order */
  constructor(
    { places }: CounterPlaces,
    states: readonly CounterState[],
    populations: readonly { readonly keyId: string; readonly combinations: number }[],
  ) {
    for (const [index, place] of places.entries()) {
      const state = states[index]!;
      this.counters.set(counterNameOf(place), new OpenCounter(state, place.limit.row.amount));
      if (!state.exists) this.missing.add(counterNameOf(place));
    }
    this.populations = new Map(populations.map(({ keyId, combinations }) => [keyId, combinations]));
  }

  /** The counter that counts for a combination: that of all further ones where its key has made as many as it may. */
  placeFor(counter: AskedCounter, keyId: string): AskedCounter {
    const isNew = this.missing.has(counterNameOf(counter));
    if (!isNew || !counter.limit.hasInventedCombinations) return counter;
    const isFull =
      (this.populations.get(keyId) ?? 0) >= MAXIMUM_COMBINATIONS.ofKey ||
      (this.populations.get(ALL_KEYS) ?? 0) >= MAXIMUM_COMBINATIONS.ofOrganization;
    return isFull ? overflowFor({ counter, keyId }) : counter;
  }

  /** Counts what is held as if it were not. @returns whether a counter has more left by it */
  giveBack(holds: readonly LimitHold[]): boolean {
    let hasMore = false;
    for (const { amount, byokAmount, windowStart, ...place } of holds) {
      const open = this.counters.get(counterNameOf({ ...place, windowStart: new Date(windowStart) }));
      if (open === undefined) continue;
      open.reserved -= unitsOf(amount);
      open.reservedWithByok -= largerOf(unitsOf(amount), unitsOf(byokAmount));
      hasMore = true;
    }
    return hasMore;
  }

  at(counter: CounterPlace): OpenCounter {
    return this.counters.get(counterNameOf(counter))!;
  }

  /** Holds amounts for a request. */
  take(counter: AskedCounter, keyId: string, amounts: ReservedAmounts): void {
    const name = counterNameOf(counter);
    const open = this.at(counter);
    const { amount, byokAmount } = amounts;
    open.reserved += amount;
    open.reservedWithByok += largerOf(amount, byokAmount);
    if (this.missing.delete(name)) {
      this.hasNew = true;
      if (counter.limit.hasInventedCombinations) this.count(keyId);
    }
    const before = this.added.get(name)?.amounts ?? { amount: 0n, byokAmount: 0n };
    // Here the second amount is what is held where own provider keys count.
    const sum = { amount: before.amount + amount, byokAmount: before.byokAmount + largerOf(amount, byokAmount) };
    this.added.set(name, { counter, keyId, amounts: sum });
  }

  /** What was held, for the rows of the counters. @param at the present time */
  additions(at: Date): CounterAddition[] {
    return [...this.added.values()].map(({ counter, keyId, amounts }) => ({
      limitId: counter.limitId,
      combination: counter.combination,
      windowStart: counter.windowStart,
      values: counter.values,
      keyId,
      reserved: textOfUnits(amounts.amount),
      reservedWithByok: textOfUnits(amounts.byokAmount),
      expiresAt: counterExpiryOf(counter.limit.row.window, counter.windowStart, at),
    }));
  }

  /** How many counters with values that clients invent were made, by key, and for all keys. */
  get newPopulations(): ReadonlyMap<string, number> {
    return this.made;
  }

  private count(keyId: string): void {
    for (const id of [keyId, ALL_KEYS]) {
      this.made.set(id, (this.made.get(id) ?? 0) + 1);
      this.populations.set(id, (this.populations.get(id) ?? 0) + 1);
    }
  }
}
