import type { LimitHold } from '../limits/limit-counters.js';
import type { AdmissionRequest } from './admission-request.js';
import type { HeldAmounts } from './blocks/block.js';
import { textOfUnits } from './decimal-amount.js';
import type { SpendReservationEntity } from './entities/spend-reservation.entity.js';
import type { HeldCounter } from './open-counters.js';

/** The row of what is reserved for a request. @param processId of the process that answers it */
export function reservationOf(
  { organizationId, generationId, keyId, userId, workspaceId, createdAt, request }: AdmissionRequest,
  held: HeldAmounts,
  processId: string,
): SpendReservationEntity {
  return {
    organizationId,
    generationId,
    processId,
    keyId,
    userId,
    workspaceId,
    createdAt,
    request,
    ...storedAmounts(held),
  };
}

/** What is held, in the columns of a reservation. */
export function storedAmounts({
  amount,
  byokAmount,
  holds,
}: HeldAmounts): Pick<SpendReservationEntity, 'amountUsd' | 'byokAmountUsd' | 'holds'> {
  return {
    amountUsd: textOfUnits(amount),
    byokAmountUsd: textOfUnits(byokAmount),
    holds: holds.length === 0 ? null : holds.map(storedHold),
  };
}

function storedHold({ counter, amount, byokAmount }: HeldCounter): LimitHold {
  return {
    limitId: counter.limitId,
    combination: counter.combination,
    windowStart: counter.windowStart.toISOString(),
    amount: textOfUnits(amount),
    byokAmount: textOfUnits(byokAmount),
    ...(counter.limit.row.measure === 'concurrent' && { isReleased: true }),
  };
}

/** Rows of reservations by their organizations, each in the order in which they are given. */
export function byOrganization<Row extends Pick<SpendReservationEntity, 'organizationId'>>(
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.organizationId) ?? [];
    group.push(row);
    groups.set(row.organizationId, group);
  }
  return groups;
}
