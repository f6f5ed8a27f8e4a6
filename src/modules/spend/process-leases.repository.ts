import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../persistence/entity-columns.js';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import { SpendReservationEntity } from './entities/spend-reservation.entity.js';

/** The lease of a process, as it is in the database. */
export interface StoredLease {
  readonly processId: string;
  /** Another text after each renewal: the transaction that wrote the row. */
  readonly version: string;
  /** Whether a process has taken this one for dead. */
  readonly hasEnded: boolean;
}

/**
 * Takes or renews the lease of a process, unless it has been ended. Only releases before this one compare what is stored with a clock:
 * they take a process for dead a number of seconds from now.
 */
export const RENEW_LEASE = statement<never, [processId: string, seconds: number]>(
  'live_processes_renew',
  `INSERT INTO live_processes AS known (id, alive_until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT ON CONSTRAINT pk_live_processes DO UPDATE SET alive_until = excluded.alive_until
    WHERE known.alive_until > '-infinity'`,
);

/** The leases of all processes. */
export const PROCESS_LEASES = statement<StoredLease>(
  'live_processes_read',
  `SELECT id AS "processId", xmin::text AS version, alive_until = '-infinity' AS "hasEnded" FROM live_processes`,
);

/** The processes that have reservations. */
export const RESERVING_PROCESSES = statement<{ processId: string }>(
  'spend_reservations_processes',
  'SELECT DISTINCT process_id AS "processId" FROM spend_reservations',
);

/** Ends the lease of a process if it was not renewed since it was read; a process without one gets one that has ended. */
export const END_LEASE = statement<never, [processId: string, version: string | null]>(
  'live_processes_end',
  `INSERT INTO live_processes AS known (id, alive_until) VALUES ($1, '-infinity')
    ON CONFLICT ON CONSTRAINT pk_live_processes DO UPDATE SET alive_until = excluded.alive_until
    WHERE known.xmin::text = $2`,
);

/** Reservations of processes whose lease has ended, but of those that the asking process has been, in a fixed order. */
export const EXPIRED_RESERVATIONS = statement<SpendReservationEntity, [own: readonly string[], most: number]>(
  'spend_reservations_expired',
  `SELECT ${columnsOf(SpendReservationEntity, 'r')} FROM spend_reservations r
    JOIN live_processes p ON p.id = r.process_id WHERE p.alive_until = '-infinity' AND p.id <> ALL ($1::uuid[])
    ORDER BY r.organization_id, r.generation_id LIMIT $2`,
);

/** Deletes some of the processes whose lease has ended, if they have no reservations. */
export const FORGET_PROCESSES = statement<never, [processIds: readonly string[]]>(
  'live_processes_forget',
  `DELETE FROM live_processes p WHERE p.id = ANY ($1::uuid[]) AND p.alive_until = '-infinity'
    AND p.id <> ALL (ARRAY(SELECT r.process_id FROM spend_reservations r))`,
);

/** The leases of processes, and what those have reserved whose lease has ended (docs/budgets.md#when-a-replica-dies). */
@Injectable()
export class ProcessLeasesRepository {
  constructor(private readonly statements: Statements) {}

  /** @returns false when the lease of the process has been ended @param seconds see RENEW_LEASE */
  async renew(processId: string, seconds: number): Promise<boolean> {
    return (await this.statements.write(RENEW_LEASE, [processId, seconds])) > 0;
  }

  async leases(): Promise<StoredLease[]> {
    return this.statements.rows(PROCESS_LEASES, []);
  }

  async reserving(): Promise<string[]> {
    return (await this.statements.rows(RESERVING_PROCESSES, [])).map(({ processId }) => processId);
  }

  /** @param version as it was read; null where there was none @returns whether it has ended by this */
  async end(processId: string, version: string | null): Promise<boolean> {
    return (await this.statements.write(END_LEASE, [processId, version])) > 0;
  }

  /** @param own the ids of the asking process @param most the largest number of reservations */
  async expired(own: readonly string[], most: number): Promise<SpendReservationEntity[]> {
    return this.statements.rows(EXPIRED_RESERVATIONS, [own, most]);
  }

  /** @param processIds processes that have been dead for long */
  async forget(processIds: readonly string[]): Promise<void> {
    await this.statements.write(FORGET_PROCESSES, [processIds]);
  }
}
