import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { rowInsert } from '../../database/insert-statement.js';
import { type Statement, type StatementRunner, Statements } from '../../database/statements.js';
import { quotaStatement } from '../../limits/quotas.js';
import type { PageWindow } from '../../http/pagination/page.js';
import { type Actor, type AuditedParts, auditedStatement, auditEventOf } from '../audit/audit-trail.js';
import type { CurrentKeyRow } from './current-key-row.js';
import { type DescribedKey, describedKeys } from './described-key.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { creationOf, TO_BE_FOUND } from './key-events.js';
import type { NewKeyRow } from './new-key.js';

// The database says when: the clocks of replicas may differ, and lists are in this order.
const KEY_INSERT = rowInsert(ApiKeyEntity, { createdAt: 'now()' });

/** How many keys an organization has, against its quota. */
export const KEYS_QUOTA = quotaStatement('keys_quota', { kind: 'keys', table: 'api_keys' });

/** During the grace of a rotation a key is found by its old hash as well, which is all that its holder may know. */
const HAS_HASH = '(hash = $2 OR previous_hash = $2 AND previous_hash_expires_at > now())';

/** What an event says of a key that is only found by the change itself. */
const FOUND_KEY: AuditedParts = { returning: `encode(hash, 'hex') AS hash, name, label`, targetId: 'change.hash' };

/** Inserts a key. */
export const INSERT_KEY = auditedStatement(
  'key_insert',
  `${KEY_INSERT.into} VALUES (${KEY_INSERT.parameters})`,
  KEY_INSERT.count,
  { returning: 'created_at', answer: '(SELECT created_at FROM change) AS created_at' },
);

/** Deletes a key, of one client only where $3 names it. */
export const DELETE_KEY = auditedStatement(
  'key_delete',
  `DELETE FROM api_keys WHERE organization_id = $1 AND ${HAS_HASH}
    AND ($3::uuid IS NULL OR connect_client_id = $3)`,
  3,
  {
    ...FOUND_KEY,
    changes: `jsonb_build_object('name', jsonb_build_object('before', change.name),
      'label', jsonb_build_object('before', change.label))`,
  },
);

/** Disables a key. */
export const DISABLE_KEY = auditedStatement(
  'key_disable',
  'UPDATE api_keys SET disabled = true, updated_at = now() WHERE organization_id = $1 AND id = $2 AND NOT disabled',
  2,
  FOUND_KEY,
);

/** A key by its hash. */
export const KEY_BY_HASH = {
  name: 'key_by_hash',
  text: `${describedKeys('api_keys')} WHERE k.organization_id = $1 AND ${HAS_HASH}`,
};

/** The same, for a transaction that will change it. */
export const LOCKED_KEY = { name: 'key_lock', text: `${KEY_BY_HASH.text} FOR UPDATE OF k` };

/** A key by its id. */
export const KEY_BY_ID = {
  name: 'key_by_id',
  text: `${describedKeys('api_keys')} WHERE k.organization_id = $1 AND k.id = $2`,
};

/** A page of all API keys. */
export const KEYS_PAGE = keysPageStatement('keys_page');

/** A page of the API keys of a workspace other than the default one. */
export const KEYS_PAGE_OF_WORKSPACE = keysPageStatement('keys_page_of_workspace', 'AND workspace_id = $5');

/** A page of the API keys of the default workspace. */
export const KEYS_PAGE_OF_DEFAULT = keysPageStatement(
  'keys_page_of_default',
  'AND (workspace_id IS NULL OR workspace_id = $5)',
);

/** Writes name, status and limits. Hash and label change by a rotation only. */
export const UPDATE_KEY = {
  name: 'key_update',
  text: `UPDATE api_keys SET name = $3, disabled = $4, limit_usd = $5, limit_reset = $6, include_byok_in_limit = $7,
      updated_at = now()
    WHERE organization_id = $1 AND id = $2`,
};

/** Gives a key another secret. Whatever was the old secret before is no use any more. */
export const ROTATE_KEY = {
  name: 'key_rotate',
  text: `UPDATE api_keys SET hash = $3, label = $4, updated_at = now(),
      previous_hash = CASE WHEN $5::integer > 0 THEN hash END,
      previous_hash_expires_at = CASE WHEN $5::integer > 0 THEN now() + $5::integer * interval '1 second' END
    WHERE organization_id = $1 AND id = $2`,
};

/** The API keys of some hashes, each beside the hash that it was found by. */
export const KEYS_BY_HASHES = {
  name: 'keys_by_hashes',
  text: `SELECT encode(asked.hash, 'hex') AS asked_hash, key.id, encode(key.hash, 'hex') AS hash, key.name, key.label,
      key.user_id, key.workspace_id
    FROM (SELECT DISTINCT decode(text, 'hex') AS hash FROM unnest($2::text[]) AS text) AS asked
    CROSS JOIN LATERAL (
      SELECT * FROM api_keys WHERE hash = asked.hash
      UNION ALL
      SELECT * FROM api_keys WHERE previous_hash = asked.hash AND previous_hash_expires_at > now()
    ) AS key
    WHERE key.organization_id = $1 AND key.kind = 'api_key'`,
};

interface KnownKeyRow {
  readonly asked_hash: string;
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly label: string;
  readonly user_id: string;
  readonly workspace_id: string | null;
}

/** An API key, as other modules know it. */
export interface KnownKey {
  readonly id: string;
  /** SHA-256 in lowercase hex, of the key as it is now: a rotation changes it. */
  readonly hash: string;
  readonly name: string;
  /** The key, masked. */
  readonly label: string;
  readonly userId: string;
  /** Null is the default workspace. */
  readonly workspaceId: string | null;
}

/** Which keys to list. */
export interface KeyFilter {
  readonly includeDisabled: boolean;
  readonly workspace?: { readonly id: string; readonly isDefault: boolean };
}

/** What a rotation gives a key. */
export interface NewSecret {
  readonly hash: Buffer;
  readonly label: string;
}

/** The rows of keys. */
@Injectable()
export class KeysRepository {
  constructor(private readonly statements: Statements) {}

  /** Inserts a key and its audit event in one statement. @returns when it was made */
  async insert(key: NewKeyRow, actor: Actor): Promise<Date> {
    const row = await this.statements.first<{ created_at: Date }>(INSERT_KEY, insertionValues(key, actor));
    return row!.created_at;
  }

  /** The same, in a transaction of others. */
  async insertWithin(manager: EntityManager, key: NewKeyRow, actor: Actor): Promise<void> {
    await manager.query(INSERT_KEY.text, insertionValues(key, actor));
  }

  async find(organizationId: string, hash: Buffer): Promise<DescribedKey | undefined> {
    return this.statements.first(KEY_BY_HASH, [organizationId, hash]);
  }

  /** The same, and nobody else changes it until the transaction ends. */
  async lock(on: StatementRunner, organizationId: string, hash: Buffer): Promise<DescribedKey | undefined> {
    return on.first(LOCKED_KEY, [organizationId, hash]);
  }

  /** @param statement made by {@link currentKeyStatement} */
  async findCurrent(statement: Statement, organizationId: string, id: string): Promise<CurrentKeyRow | undefined> {
    return this.statements.first(statement, [organizationId, id]);
  }

  /** One page of the API keys, oldest first. */
  async page(
    organizationId: string,
    { includeDisabled, workspace }: KeyFilter,
    { limit, offset }: PageWindow,
  ): Promise<DescribedKey[]> {
    const values = [organizationId, includeDisabled, limit, offset];
    if (workspace === undefined) return this.statements.rows(KEYS_PAGE, values);
    const statement = workspace.isDefault ? KEYS_PAGE_OF_DEFAULT : KEYS_PAGE_OF_WORKSPACE;
    return this.statements.rows(statement, [...values, workspace.id]);
  }

  /** @returns by the hash that was asked for */
  async byHashes(
    on: StatementRunner,
    organizationId: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, KnownKey>> {
    const rows = await on.rows<KnownKeyRow>(KEYS_BY_HASHES, [organizationId, hashes]);
    return new Map(
      rows.map(({ asked_hash: askedHash, user_id: userId, workspace_id: workspaceId, ...key }) => [
        askedHash,
        { ...key, userId, workspaceId },
      ]),
    );
  }

  /** Writes what can be changed of a key. @returns the key as it is now */
  async update(on: StatementRunner, key: ApiKeyEntity): Promise<DescribedKey> {
    const { organizationId, id, name, disabled, limitUsd, limitReset, includeByokInLimit } = key;
    const values = [organizationId, id, name, disabled, limitUsd, limitReset, includeByokInLimit];
    return this.changed(on, UPDATE_KEY, values);
  }

  /**
   * Gives a key another secret.
   *
   * @param graceSeconds how long the old one is taken yet
   * @returns the key as it is now
   */
  async rotate(
    on: StatementRunner,
    { organizationId, id }: ApiKeyEntity,
    { hash, label }: NewSecret,
    graceSeconds: number,
  ): Promise<DescribedKey> {
    return this.changed(on, ROTATE_KEY, [organizationId, id, hash, label, graceSeconds]);
  }

  /**
   * Deletes a key, and tells so, as one.
   *
   * @param connectClientId reach only the keys that this client created
   * @returns whether there was such a key
   */
  async deleteKey(actor: Actor, organizationId: string, hash: Buffer, connectClientId?: string): Promise<boolean> {
    const event = auditEventOf(organizationId, actor, { action: 'key.delete', target: TO_BE_FOUND });
    const values = DELETE_KEY.values([organizationId, hash, connectClientId ?? null], event);
    return (await this.statements.write(DELETE_KEY, values)) === 1;
  }

  /** Disables a key, and tells so, as one, unless it is disabled. */
  async disableKey(actor: Actor, organizationId: string, id: string): Promise<void> {
    const changes = { disabled: { before: false, after: true } };
    const event = auditEventOf(organizationId, actor, { action: 'key.disable', target: TO_BE_FOUND, changes });
    await this.statements.write(DISABLE_KEY, DISABLE_KEY.values([organizationId, id], event));
  }

  private async changed(on: StatementRunner, change: Statement, values: readonly unknown[]): Promise<DescribedKey> {
    await on.write(change, values);
    // Locked by the transaction that changes it, so it is there.
    return (await on.first<DescribedKey>(KEY_BY_ID, values.slice(0, 2)))!;
  }
}

function insertionValues(key: NewKeyRow, actor: Actor): unknown[] {
  return INSERT_KEY.values(KEY_INSERT.values(key), auditEventOf(key.organizationId, actor, creationOf(key)));
}

/** @param and a further condition, with the workspace as $5 */
function keysPageStatement(name: string, and = ''): Statement {
  const page = `SELECT * FROM api_keys
    WHERE organization_id = $1 AND kind = 'api_key' AND ($2::boolean OR NOT disabled) ${and}
    ORDER BY created_at, id LIMIT $3::bigint OFFSET $4::bigint`;
  // By itself, so that what the keys have spent has no say in how the page is found.
  const text = `WITH page AS MATERIALIZED (${page}) ${describedKeys('page')} ORDER BY k.created_at, k.id`;
  return { name, text };
}
