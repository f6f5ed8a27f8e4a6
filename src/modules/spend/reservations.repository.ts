import { Injectable } from '@nestjs/common';
import { insertRowsStatement } from '../../persistence/insert-statement.js';
import { columnsOf } from '../../persistence/entity-columns.js';
import { statement } from '../../persistence/statement.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import { SpendReservationEntity } from './entities/spend-reservation.entity.js';
import { keySpendAt } from './key-totals.js';
import { firstDaysOf, limitsOfKey, type LimitSubject } from './limits-of-key.js';
import type { SpendInterval } from './spend-interval.js';

/** Whose limits apply to a request, and in which windows. */
export interface Spender {
  readonly keyId: string;
  readonly userId: string;
  readonly workspaceId: string | null;
  /** The day of the request in UTC, as YYYY-MM-DD. */
  readonly day: string;
}

/** Who has what is spent toward a limit. */
type Holder = 'workspace' | 'key' | 'member';

/** A limit of a spender, and what is spent. */
export interface LimitRow {
  /** Whose limit it is: the number of the spender, from 1. */
  readonly spender: number;
  readonly subject: LimitSubject;
  readonly guardrailId: string | null;
  readonly holder: Holder;
  readonly holderId: string;
  readonly interval: SpendInterval;
  /** Of the window, as YYYY-MM-DD. */
  readonly firstDay: string;
  /** US dollars, as decimal text like the other amounts. */
  readonly limitUsd: string;
  readonly spentUsd: string;
  readonly includesByok: boolean;
}

/** What is reserved by a key in a workspace, for requests of one day. */
export interface ReservedRow {
  readonly keyId: string;
  readonly userId: string;
  readonly workspaceId: string | null;
  /** Of the windows that the day is in. */
  readonly firstDays: Readonly<Record<SpendInterval, string>>;
  readonly amountUsd: string;
  /** The same where usage through the organization's own provider keys counts. */
  readonly withByokUsd: string;
}

/** Null where the organization has no default workspace any more. */
type WorkspaceIds = readonly (string | null)[];

/** What decides about admissions, at one moment. */
interface AdmissionState {
  /** The broadest first; null for none. */
  readonly limits: readonly LimitRow[] | null;
  readonly reserved: readonly ReservedRow[] | null;
}

/**
 * Lets admissions of an organization follow one another, on all replicas, until the end of the transaction. What they reserve need not
 * survive a crash of the database, because the requests do not wait for that; what is charged does.
 *
 * A plan that is made while there are few reservations reads the whole table, also when it has grown; and only an index scan marks the
 * entries of reservations that are gone, so that the next one passes over them.
 */
export const LOCK_ADMISSIONS = statement<object, [organizationId: string]>(
  'spend_admissions_lock',
  `SELECT set_config('synchronous_commit', 'off', true), set_config('enable_seqscan', 'off', true),
      set_config('enable_bitmapscan', 'off', true), pg_advisory_xact_lock(hashtextextended('admission ' || $1, 0))`,
);

/**
 * The limits of spenders with what is spent, and what is reserved beside it. One statement, because between two a request could be
 * settled, whose cost would be in both or in neither.
 */
export const ADMISSION_STATE = statement<
  AdmissionState,
  [
    organizationId: string,
    keyIds: readonly string[],
    workspaceIds: WorkspaceIds,
    days: readonly string[],
    userIds: readonly string[],
  ]
>(
  'spend_admission_state',
  `SELECT (
      SELECT json_agg(json_build_object(
        'spender', spender.number, 'subject', l.subject, 'guardrailId', l.guardrail_id, 'holder', l.holder, 'holderId', l.holder_id,
        'interval', l."interval", 'firstDay', l.first_day, 'limitUsd', l.limit_usd::text, 'spentUsd', l.spent_usd::text,
        'includesByok', l.includes_byok) ORDER BY l.rank)
      FROM unnest($2::uuid[], $3::uuid[], $4::date[]) WITH ORDINALITY AS spender (key_id, workspace_id, day, number)
      LEFT JOIN LATERAL (
        SELECT found.id, found.user_id, found.limit_usd, found.limit_reset, found.include_byok_in_limit FROM api_keys found
        WHERE found.organization_id = $1 AND found.id = spender.key_id LIMIT 1) AS k ON true
      LEFT JOIN LATERAL (
        SELECT found.id, found.include_byok_in_budgets, found.default_guardrail_id FROM workspaces found
        WHERE found.organization_id = $1 AND found.id = spender.workspace_id LIMIT 1) AS w ON true
      CROSS JOIN LATERAL (${limitsOfKey({ day: 'spender.day', keySpend: keySpendAt('spender.day') })}) AS l
    ) AS limits, (
      SELECT json_agg(json_build_object(
        'keyId', r.key_id, 'userId', r.user_id, 'workspaceId', r.workspace_id, 'firstDays', ${firstDaysOf('r.day')},
        'amountUsd', r.amount_usd::text, 'withByokUsd', r.with_byok_usd::text))
      FROM (
        SELECT key_id, user_id, workspace_id, (created_at AT TIME ZONE 'UTC')::date AS day, sum(amount_usd) AS amount_usd,
          sum(greatest(amount_usd, byok_amount_usd)) AS with_byok_usd
        FROM spend_reservations
        WHERE organization_id = $1 AND (workspace_id = ANY ($3) OR key_id = ANY ($2) OR user_id = ANY ($5))
        GROUP BY 1, 2, 3, 4) AS r
    ) AS reserved`,
);

/** Inserts reservations. */
export const INSERT_RESERVATIONS = insertRowsStatement('spend_reservations_insert', SpendReservationEntity);

/** Says that a process lives on for a number of seconds. */
export const RENEW_LEASE = statement<never, [processId: string, seconds: number]>(
  'live_processes_renew',
  `INSERT INTO live_processes (id, alive_until) VALUES ($1, now() + make_interval(secs => $2))
    ON CONFLICT ON CONSTRAINT pk_live_processes DO UPDATE SET alive_until = excluded.alive_until`,
);

/** Reservations of processes that live no more, in a fixed order. */
export const EXPIRED_RESERVATIONS = statement<SpendReservationEntity, [most: number]>(
  'spend_reservations_expired',
  `SELECT ${columnsOf(SpendReservationEntity, 'r')} FROM spend_reservations r
    JOIN live_processes p ON p.id = r.process_id WHERE p.alive_until <= now()
    ORDER BY r.organization_id, r.generation_id LIMIT $1`,
);

/** Forgets processes that are dead since long, and have reserved nothing. */
export const FORGET_PROCESSES = statement(
  'live_processes_forget',
  `DELETE FROM live_processes p WHERE p.alive_until < now() - interval '1 hour'
    AND NOT EXISTS (SELECT FROM spend_reservations r WHERE r.process_id = p.id)`,
);

/** What is reserved for requests that are being answered. */
@Injectable()
export class ReservationsRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Reserves, while no other replica does for the organization.
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
      const state = await tx.first(ADMISSION_STATE, [
        organizationId,
        spenders.map(({ keyId }) => keyId),
        spenders.map(({ workspaceId }) => workspaceId),
        spenders.map(({ day }) => day),
        spenders.map(({ userId }) => userId),
      ]);
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
