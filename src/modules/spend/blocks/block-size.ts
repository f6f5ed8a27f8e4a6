import type { ReservedAmounts } from '../worst-case.js';
import type { NeededAmounts } from './block.js';
import type { NeededSum } from './recent-use.js';

/** A block holds at most this part of what is left of each limit: one over this number. */
const SHARE_OF_REST = 16n;

/** For fewer requests a block is not worth its own two writes. */
const FEWEST_REQUESTS = 8n;

/** What is left of a limit or counter, in its smallest units, and what requests have needed of it lately. */
export interface LimitRoom {
  readonly remaining: bigint;
  readonly needed: bigint;
}

/**
 * How large a block is to be: what its requests have needed lately, and at most a share of what is left of each limit, so that it gets
 * smaller as a limit comes to its end.
 *
 * @param rooms every limit and counter that the requests count on
 * @returns undefined where the requests are few, or what is left is little
 */
export function blockSizeOf(
  { requests, ...needed }: NeededSum,
  rooms: readonly LimitRoom[],
): NeededAmounts | undefined {
  let [share, of] = [1n, 1n];
  for (const room of rooms) {
    const most = room.remaining / SHARE_OF_REST;
    if (most < 0n) return undefined;
    if (room.needed * share > most * of) [share, of] = [most, room.needed];
  }
  if (BigInt(requests) * share < FEWEST_REQUESTS * of) return undefined;
  const scaled = ({ amount, byokAmount }: ReservedAmounts): ReservedAmounts => ({
    amount: (amount * share) / of,
    byokAmount: (byokAmount * share) / of,
  });
  return { ...scaled(needed), holds: needed.holds.map(scaled) };
}
