import type { LimitRow, ReservedRow } from './admission-state.repository.js';
import { unitsOf } from './decimal-amount.js';
import type { MetLimit } from './limits-of-key.js';
import { countedAmount, type RemainingLimit, type ReservedAmounts } from './worst-case.js';

/** A limit while requests are admitted, one after the other. */
export interface OpenLimit extends RemainingLimit {
  readonly limit: MetLimit;
  readonly row: LimitRow;
  /** What was reserved before the first of these requests, in the smallest units of a US dollar. */
  readonly reserved: bigint;
  /** Whether what is spent, without what is reserved, meets it already. */
  readonly isMet: boolean;
}

/** A limit, however many spenders it is shared by. */
class SharedLimit implements OpenLimit {
  readonly limit: MetLimit;
  readonly isMet: boolean;
  readonly includesByok: boolean;
  reserved: bigint;
  remaining: bigint;

  constructor(
    readonly row: LimitRow,
    reserved: readonly ReservedRow[],
  ) {
    const { subject, interval, limitUsd, spentUsd, includesByok, guardrailId } = row;
    this.limit = { subject, interval, limitUsd: Number(limitUsd), guardrailId };
    this.includesByok = includesByok;
    const unspent = unitsOf(limitUsd) - unitsOf(spentUsd);
    this.isMet = unspent <= 0n;
    this.reserved = reserved
      .filter((one) => countsToward(row, one))
      .reduce((sum, one) => sum + amountFor(row, one), 0n);
    this.remaining = unspent - this.reserved;
  }

  giveBack(reserved: ReservedRow): boolean {
    if (!countsToward(this.row, reserved)) return false;
    const amount = amountFor(this.row, reserved);
    this.reserved -= amount;
    this.remaining += amount;
    return amount > 0n;
  }
}

/** What is left of the limits of a batch of requests; several spenders can share a limit. */
export class OpenLimits {
  private readonly bySpender = new Map<number, SharedLimit[]>();
  private readonly all: readonly SharedLimit[];

  /** @param limits those of a spender from the broadest on */
  constructor(limits: readonly LimitRow[], reserved: readonly ReservedRow[]) {
    const shared = new Map<string, SharedLimit>();
    for (const row of limits) {
      const { spender, subject, guardrailId, holder, holderId, interval, firstDay } = row;
      const name = [subject, guardrailId, holder, holderId, interval, firstDay].join(' ');
      const limit = shared.get(name) ?? new SharedLimit(row, reserved);
      shared.set(name, limit);
      const ofSpender = this.bySpender.get(spender) ?? [];
      ofSpender.push(limit);
      this.bySpender.set(spender, ofSpender);
    }
    this.all = [...shared.values()];
  }

  /** The limits that apply to a spender, the broadest first. */
  of(spender: number): readonly OpenLimit[] {
    return this.bySpender.get(spender) ?? [];
  }

  /** The limits that apply to a spender and refuse, the broadest first. */
  enforcedOn(spender: number): readonly OpenLimit[] {
    return this.of(spender).filter(({ row }) => row.observer === null);
  }

  /** Counts what is reserved as if it were not. @returns whether a limit has more left by it */
  giveBack(reserved: ReservedRow): boolean {
    return this.all.map((limit) => limit.giveBack(reserved)).includes(true);
  }

  /** Takes what is reserved for a request from what is left. */
  take(spender: number, amounts: ReservedAmounts): void {
    for (const limit of this.bySpender.get(spender) ?? []) limit.remaining -= countedAmount(amounts, limit);
  }
}

/** Whether a reservation is of the holder of a limit, in its window. */
function countsToward({ holder, holderId, interval, firstDay }: LimitRow, reserved: ReservedRow): boolean {
  const id = { workspace: reserved.workspaceId, key: reserved.keyId, member: reserved.userId }[holder];
  return id === holderId && reserved.firstDays[interval] === firstDay;
}

function amountFor({ includesByok }: LimitRow, { withByokUsd, amountUsd }: ReservedRow): bigint {
  return unitsOf(includesByok ? withByokUsd : amountUsd);
}
