import { Injectable } from '@nestjs/common';
import { statement } from '../../persistence/statement.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import type { RateSubject } from './rate-count.js';
import { KEPT_SECONDS } from './sliding-window.js';

/** Which key or workspace. */
type SubjectName = Pick<RateSubject, 'subject' | 'id'>;

/** What is used of the limits of one subject. */
export interface StoredUse extends SubjectName {
  readonly latestSecond: number;
  readonly requests: readonly number[];
  readonly tokens: readonly number[];
}

/** A stored use that is locked, with the present second by the clock of the database. */
export interface LockedUse extends StoredUse {
  readonly now: number;
}

// The time is taken when the lock is held, so that no transaction is counted before one that it waited for.
export const LOCK_RATE_USES = statement<
  LockedUse,
  [organizationId: string, subjects: readonly string[], ids: readonly string[]]
>(
  'rate_uses_lock',
  `INSERT INTO rate_uses AS known (organization_id, subject, subject_id, latest_second, requests, tokens)
    SELECT $1, asked.subject, asked.id, 0, '{}', '{}' FROM unnest($2::text[], $3::uuid[]) AS asked (subject, id) ORDER BY 2, 3
    ON CONFLICT ON CONSTRAINT pk_rate_uses DO UPDATE SET latest_second = known.latest_second
    RETURNING subject, subject_id AS id, latest_second::double precision AS "latestSecond", requests,
      tokens::double precision[] AS tokens, floor(extract(epoch FROM clock_timestamp()))::double precision AS now`,
);

/** Writes uses that the transaction has locked, each found by its key. */
export const WRITE_RATE_USES = statement<never, [organizationId: string, uses: string]>(
  'rate_uses_write',
  `INSERT INTO rate_uses (organization_id, subject, subject_id, latest_second, requests, tokens)
    SELECT $1, used.* FROM jsonb_to_recordset($2::jsonb)
      AS used (subject text, id uuid, "latestSecond" bigint, requests integer[], tokens bigint[])
    ON CONFLICT ON CONSTRAINT pk_rate_uses DO UPDATE SET latest_second = excluded.latest_second,
      requests = excluded.requests, tokens = excluded.tokens`,
);

/** How many uses one statement deletes at most: it has its time. */
const DELETED_AT_ONCE = 1_000;

/** Deletes uses that do not count any more, but for those that are being counted. */
export const DELETE_OLD_RATE_USES = statement<never, [organizationId: string]>(
  'rate_uses_delete_old',
  `DELETE FROM rate_uses USING (
      SELECT subject, subject_id FROM rate_uses
      WHERE organization_id = $1 AND latest_second < extract(epoch FROM now()) - ${KEPT_SECONDS}
      ORDER BY subject, subject_id LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED
    ) AS old
    WHERE rate_uses.organization_id = $1 AND rate_uses.subject = old.subject AND rate_uses.subject_id = old.subject_id`,
);

/** The rows of what keys and workspaces have used of their limits within the last minute. */
@Injectable()
export class RateUsesRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Changes the uses of some subjects, which no other request changes meanwhile.
   *
   * @param change gets those that are stored, one for each subject, and gives what is to be written
   */
  async change<Result>(
    organizationId: string,
    subjects: readonly SubjectName[],
    change: (uses: readonly LockedUse[]) => { readonly written: readonly StoredUse[]; readonly result: Result },
  ): Promise<Result> {
    return this.statements.transaction(async (tx) => {
      const { written, result } = change(await this.lock(tx, organizationId, subjects));
      if (written.length > 0) await tx.write(WRITE_RATE_USES, [organizationId, JSON.stringify(written)]);
      return result;
    });
  }

  /** Deletes the uses of an organization that do not count any more. */
  async deleteOld(organizationId: string): Promise<void> {
    while ((await this.statements.write(DELETE_OLD_RATE_USES, [organizationId])) === DELETED_AT_ONCE);
  }

  private lock(tx: Transaction, organizationId: string, subjects: readonly SubjectName[]): Promise<LockedUse[]> {
    const names = subjects.map(({ subject }) => subject);
    const ids = subjects.map(({ id }) => id);
    return tx.rows(LOCK_RATE_USES, [organizationId, names, ids]);
  }
}
