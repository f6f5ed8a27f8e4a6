import { Injectable } from '@nestjs/common';
import { insertRowsStatement } from '../../persistence/insert-statement.js';
import { statement } from '../../persistence/statement.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import {
  ADMISSION_STATE,
  admissionStateValues,
  type LimitRow,
  type ReservedRow,
  type Spender,
} from './admission-state.repository.js';
import { SpendReservationEntity } from './entities/spend-reservation.entity.js';

/**
 * Lets admissions of an organization follow one another, on all replicas, until the end of the transaction. What they reserve need not
 * survive a crash of the database, because the requests do not wait for that; what is charged does. Says whether the lease of the
 * process has not been ended: it may have been suspended, with its clock, since it last renewed its lease.
 *
 * Bitmap scans are off because only a plain index scan marks dead index entries, which the next scan then skips.
 */
export const LOCK_ADMISSIONS = statement<{ hasLease: boolean }, [organizationId: string, processId: string]>(
  'spend_admissions_lock',
  `SELECT set_config('synchronous_commit', 'off', true), set_config('enable_bitmapscan', 'off', true),
      pg_advisory_xact_lock(hashtextextended('admission ' || $1, 0)),
      EXISTS (SELECT FROM live_processes WHERE id = $2 AND alive_until > '-infinity') AS "hasLease"`,
);

/** Inserts reservations, and raises those that there are. */
export const INSERT_RESERVATIONS = insertRowsStatement('spend_reservations_insert', SpendReservationEntity, [
  'organizationId',
  'generationId',
]);

/**
 * What is reserved for requests that are being answered. Reservations are deleted by INSERT_GENERATIONS, in the statement that records and
 * charges the request.
 */
@Injectable()
export class ReservationsRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Makes reservations while no other replica makes any for the organization.
   *
   * @param processId the process that reserves
   * @param decide gets the limits of the spenders and what is reserved, and gives what to reserve; called once more for each
   *   repetition of the transaction
   * @returns whether the process has its lease; if not, nothing is decided
   */
  async reserve(
    organizationId: string,
    processId: string,
    spenders: readonly Spender[],
    decide: (state: { limits: readonly LimitRow[]; reserved: readonly ReservedRow[] }) => SpendReservationEntity[],
  ): Promise<boolean> {
    return this.statements.transaction(async (tx: Transaction) => {
      const { hasLease } = (await tx.first(LOCK_ADMISSIONS, [organizationId, processId]))!;
      if (!hasLease) return false;
      const state = await tx.first(ADMISSION_STATE, admissionStateValues(organizationId, spenders));
      const reservations = decide({ limits: state?.limits ?? [], reserved: state?.reserved ?? [] });
      if (reservations.length > 0) await tx.write(INSERT_RESERVATIONS, INSERT_RESERVATIONS.values(reservations));
      return true;
    });
  }
}
