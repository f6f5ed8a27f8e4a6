import { Injectable } from '@nestjs/common';
import type { Quota } from '../../persistence/quota-statement.js';
import { statement } from '../../persistence/statement.js';
import { Statements, type Transaction } from '../../persistence/statements.js';
import type { IdempotencyKeyEntity } from './entities/idempotency-key.entity.js';
import type { StoredKey } from './sealed-answer.js';

/** How many expired keys of its organization one new key clears away at most, so that no single request pays for all. */
const SWEEP_SIZE = 100;

type ById = [organizationId: string, credentialId: string, keyHash: Buffer];

/** How many keys of an organization have not expired, against its quota. */
export const IDEMPOTENCY_KEYS_QUOTA: Quota = {
  ...statement<{ count: number }, [organizationId: string, limit: number]>(
    'idempotency_keys_quota',
    `SELECT count(*)::int AS count FROM (
      SELECT FROM idempotency_keys WHERE organization_id = $1 AND expires_at > now() LIMIT $2::bigint) AS counted`,
  ),
  kind: 'idempotency_keys',
};

/** What is known of a key that a request was done with. */
export type UsedKey = Pick<IdempotencyKeyEntity, 'fingerprint' | 'status' | 'sealedAnswer'>;

/** A key that has not expired. */
export const IDEMPOTENCY_KEY = statement<UsedKey, ById>(
  'idempotency_key',
  `SELECT fingerprint, status, sealed_answer AS "sealedAnswer" FROM idempotency_keys
    WHERE organization_id = $1 AND credential_id = $2 AND key_hash = $3 AND expires_at > now()`,
);

/**
 * Adds a key, in place of an expired one, unless there is one; clears away some expired ones, by where they lie, because a join of two columns
 * would read all keys of the organization. Waits for a transaction that has added the same
 * key, until it ends.
 */
export const CLAIM_IDEMPOTENCY_KEY = statement<{ credential_id: string }, [...ById, fingerprint: Buffer]>(
  'idempotency_key_claim',
  `WITH swept AS (
      DELETE FROM idempotency_keys WHERE organization_id = $1 AND ctid = ANY (ARRAY(
        SELECT ctid FROM idempotency_keys
        WHERE organization_id = $1 AND expires_at <= now() AND (credential_id, key_hash) <> ($2, $3)
        ORDER BY expires_at LIMIT ${SWEEP_SIZE} FOR UPDATE SKIP LOCKED)))
    INSERT INTO idempotency_keys AS known (organization_id, credential_id, key_hash, fingerprint, created_at, expires_at)
    VALUES ($1, $2, $3, $4, now(), now() + interval '24 hours')
    ON CONFLICT (organization_id, credential_id, key_hash) DO UPDATE
      SET fingerprint = excluded.fingerprint, status = NULL, sealed_answer = NULL,
        created_at = excluded.created_at, expires_at = excluded.expires_at
      WHERE known.expires_at <= excluded.created_at
    RETURNING credential_id`,
);

/** Adds the answer to a key. */
export const COMPLETE_IDEMPOTENCY_KEY = statement<
  never,
  [...ById, status: number, sealedAnswer: Buffer | null, keptSeconds: number]
>(
  'idempotency_key_complete',
  `UPDATE idempotency_keys
    SET status = $4::smallint, sealed_answer = $5, expires_at = (created_at AT TIME ZONE 'UTC' + $6::integer * interval '1 second') AT TIME ZONE 'UTC'
    WHERE organization_id = $1 AND credential_id = $2 AND key_hash = $3`,
);

/** The rows of Idempotency-Keys. */
@Injectable()
export class IdempotencyKeysRepository {
  constructor(private readonly statements: Statements) {}

  /** @returns undefined for a key that no request was done with, or that has expired */
  async find(key: StoredKey): Promise<UsedKey | undefined> {
    return this.statements.first(IDEMPOTENCY_KEY, idOf(key));
  }

  /**
   * Adds a key.
   *
   * @param tx the transaction of the change
   * @returns false if there is one
   */
  async claim(tx: Transaction, key: StoredKey, fingerprint: Buffer): Promise<boolean> {
    return (await tx.first(CLAIM_IDEMPOTENCY_KEY, [...idOf(key), fingerprint])) !== undefined;
  }

  /**
   * Adds the answer to a key.
   *
   * @param tx the transaction of the change, which has added the key
   * @param sealedAnswer null for an answer that is not kept
   * @param keptSeconds how long the key is known, from when it was added
   */
  async complete(
    tx: Transaction,
    key: StoredKey,
    status: number,
    sealedAnswer: Buffer | null,
    keptSeconds: number,
  ): Promise<void> {
    await tx.write(COMPLETE_IDEMPOTENCY_KEY, [...idOf(key), status, sealedAnswer, keptSeconds]);
  }
}

function idOf({ organizationId, credentialId, hash }: StoredKey): ById {
  return [organizationId, credentialId, hash];
}
