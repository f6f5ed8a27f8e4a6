import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { TokenSigningKeyEntity } from '../entities/token-signing-key.entity.js';
import { KEY_LIFE_SECONDS, KEPT_SECONDS, PUBLISHED_AHEAD_SECONDS } from './rotation.js';

const KEY = columnsOf(TokenSigningKeyEntity, 'k');

/** The keys of which signatures may be of now or soon, newest first: few, whatever becomes of the deletion of old ones. */
export const PUBLISHED_SIGNING_KEYS = statement<TokenSigningKeyEntity>(
  'token_signing_keys_published',
  `SELECT ${KEY} FROM token_signing_keys k
    WHERE NOT EXISTS (SELECT FROM token_signing_keys n
      WHERE n.active_at > k.active_at AND n.active_at < now() - interval '${KEPT_SECONDS} seconds')
    ORDER BY k.active_at DESC`,
);

/** The key that signs now. */
export const ACTIVE_SIGNING_KEY = statement<TokenSigningKeyEntity>(
  'token_signing_key_active',
  `SELECT ${KEY} FROM token_signing_keys k WHERE k.active_at <= now() ORDER BY k.active_at DESC LIMIT 1`,
);

/** A key by its `kid`. */
export const SIGNING_KEY_BY_ID = statement<TokenSigningKeyEntity, [id: string]>(
  'token_signing_key_by_id',
  `SELECT ${KEY} FROM token_signing_keys k WHERE k.id = $1`,
);

/** Every key, as they are encrypted. */
export const ALL_SIGNING_KEYS = statement<TokenSigningKeyEntity>(
  'token_signing_keys_all',
  `SELECT ${KEY} FROM token_signing_keys k ORDER BY k.id`,
);

/** Processes that rotate take turns, so that one of them makes the key. */
export const LOCK_SIGNING_KEYS = statement<object>(
  'token_signing_keys_take_turns',
  "SELECT pg_advisory_xact_lock(hashtextextended('token_signing_keys', 0))",
);

/** Whether a key is to be made: none signs, or the newest soon will have signed for long enough. */
export const SIGNING_KEYS_STATE = statement<{ readonly hasNone: boolean; readonly needsNext: boolean }>(
  'token_signing_keys_state',
  `SELECT max(k.active_at) IS NULL AS "hasNone",
      max(k.active_at) + interval '${KEY_LIFE_SECONDS - PUBLISHED_AHEAD_SECONDS} seconds' <= now() AS "needsNext"
    FROM token_signing_keys k`,
);

/** Inserts the first key, which signs at once. */
export const INSERT_FIRST_SIGNING_KEY = insertStatement('token_signing_key_insert_first', TokenSigningKeyEntity, {
  activeAt: 'now()',
  createdAt: 'now()',
});

/** Inserts a further key, which signs when everybody can know it. */
export const INSERT_NEXT_SIGNING_KEY = insertStatement('token_signing_key_insert_next', TokenSigningKeyEntity, {
  activeAt: `now() + interval '${PUBLISHED_AHEAD_SECONDS} seconds'`,
  createdAt: 'now()',
});

/** Deletes keys whose last tokens have expired. */
export const DELETE_OLD_SIGNING_KEYS = statement(
  'token_signing_keys_delete_old',
  `DELETE FROM token_signing_keys k WHERE EXISTS (SELECT FROM token_signing_keys n
    WHERE n.active_at > k.active_at AND n.active_at < now() - interval '${KEPT_SECONDS} seconds')`,
);

/** Replaces an encrypted key, unless it has changed. */
export const REPLACE_SIGNING_KEY = statement<never, [id: string, before: Buffer, after: Buffer]>(
  'token_signing_key_replace',
  'UPDATE token_signing_keys SET sealed_private_jwk = $3 WHERE id = $1 AND sealed_private_jwk = $2',
);

/** The row of a new key, without the times that the database sets. */
export type NewSigningKey = Omit<TokenSigningKeyEntity, 'activeAt' | 'createdAt'>;

/** The rows of keys that access tokens are signed with. */
@Injectable()
export class SigningKeysRepository {
  constructor(private readonly statements: Statements) {}

  async published(): Promise<TokenSigningKeyEntity[]> {
    return this.statements.rows(PUBLISHED_SIGNING_KEYS, []);
  }

  async active(): Promise<TokenSigningKeyEntity | undefined> {
    return this.statements.first(ACTIVE_SIGNING_KEY, []);
  }

  async find(id: string): Promise<TokenSigningKeyEntity | undefined> {
    return this.statements.first(SIGNING_KEY_BY_ID, [id]);
  }

  async all(): Promise<TokenSigningKeyEntity[]> {
    return this.statements.rows(ALL_SIGNING_KEYS, []);
  }

  /** @returns whether the key was as before */
  async replace(id: string, before: Buffer, after: Buffer): Promise<boolean> {
    return (await this.statements.write(REPLACE_SIGNING_KEY, [id, before, after])) > 0;
  }

  /** Makes the key that is needed, if one is, and deletes those that no token is of any more. @param make makes a key */
  async rotate(make: () => Promise<NewSigningKey>): Promise<void> {
    await this.statements.transaction(async (tx) => {
      await tx.rows(LOCK_SIGNING_KEYS, []);
      const { hasNone, needsNext } = (await tx.first(SIGNING_KEYS_STATE, []))!;
      if (hasNone || needsNext) await insert(tx, await make(), hasNone);
      await tx.write(DELETE_OLD_SIGNING_KEYS, []);
    });
  }
}

async function insert(tx: Transaction, key: NewSigningKey, isFirst: boolean): Promise<void> {
  const into = isFirst ? INSERT_FIRST_SIGNING_KEY : INSERT_NEXT_SIGNING_KEY;
  await tx.write(into, into.values(key));
}
