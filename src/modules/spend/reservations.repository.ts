import { Injectable } from '@nestjs/common';
import { insertRowsStatement } from '../../persistence/insert-statement.js';
import { columnsOf } from '../../persistence/entity-columns.js';
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
 * survive a crash of the database, because the requests do not wait for that; what is charged does.
 *
 * Bitmap scans are off because only a plain index scan marks dead index entries, which the next scan then skips.
 */
export const LOCK_ADMISSIONS = statement<object, [organizationId: string]>(
  'spend_admissions_lock',
  `SELECT set_config('synchronous_commit', 'off', true), set_config('enable_bitmapscan', 'off', true),
      pg_advisory_xact_lock(hashtextextended('admission ' || $1, 0))`,
);

/** Inserts reservations, and raises those that there are. */
export const INSERT_RESERVATIONS = insertRowsStatement('spend_reservations_insert', SpendReservationEntity, [
  'organizationId',
  'generationId',
]);

/** Extends the lease of a process by a number of seconds from now. */
export const RENEW_LEASE = statement<never, [processId: string, seconds: number]>(
  'live_processes_renew',
  `INSERT INTO live_processes (id, alive_until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT ON CONSTRAINT pk_live_processes DO UPDATE SET alive_until = excluded.alive_until`,
);

/** Reservations of processes whose lease has ended, in a fixed order. */
export const EXPIRED_RESERVATIONS = statement<SpendReservationEntity, [most: number]>(
  'spend_reservations_expired',
  `SELECT ${columnsOf(SpendReservationEntity, 'r')} FROM spend_reservations r
    JOIN live_processes p ON p.id = r.process_id WHERE p.alive_until <= now()
    ORDER BY r.organization_id, r.generation_id LIMIT $1`,
);

/** Deletes processes whose lease ended an hour ago and that have no reservations. */
export const FORGET_PROCESSES = statement(
  'live_processes_forget',
  `DELETE FROM live_processes p WHERE p.alive_until < now() - interval '1 hour'
    AND p.id <> ALL (ARRAY(SELECT r.process_id FROM spend_reservations r))`,
);

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
   * @param decide gets the limits of the spenders and what is reserved, and gives what to reserve; called once more for each
   *   repetition of the transaction
   */
  async reserve(
    organizationId: string,
    spenders: readonly Spender[],
    decide: (state: { limits: readonly LimitRow[]; reserved: readonly ReservedRow[] }) => SpendReservationEntity[],
  ): Promise<void> {
    await this.statements.transaction(async (tx: Transaction) => {
      await tx.rows(LOCK_ADMISSIONS, [organizationId]);
      const state = await tx.first(ADMISSION_STATE, admissionStateValues(organizationId, spenders));
      const reservations = decide({ limits: state?.limits ?? [], reserved: state?.reserved ?? [] });
      if (reservations.length > 0) await tx.write(INSERT_RESERVATIONS, INSERT_RESERVATIONS.values(reservations));
    });
  }

  async renewLease(processId: string, seconds: number): Promise<void> {
    await this.statements.write(RENEW_LEASE, [processId, seconds]);
  }

  async expired(most: number): Promise<SpendReservationEntity[]> {
    return this.statements.rows(EXPIRED_RESERVATIONS, [most]);
  }

  async forgetProcesses(): Promise<void> {
    await this.statements.write(FORGET_PROCESSES, []);
  }
}
