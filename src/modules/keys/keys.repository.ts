import { Injectable } from '@nestjs/common';
import { type BoundValues, singleStatement, type Statement, statement } from '../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../persistence/statements.js';
import { updateStatement } from '../../persistence/update-statement.js';
import { quotaStatement } from '../../persistence/quota-statement.js';
import { hasText, type ListView, type PageRequest, sortedBy } from '../../persistence/page-statement.js';
import { type Actor, type AuditedParts, auditedStatement, auditEventOf } from '../audit/audit-trail.js';
import {
  type CurrentKeyRow,
  type CurrentKeyStatement,
  type KeyWithSpend,
  selectKeysWithSpend,
} from './key-with-spend.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { activeOwner } from './active-owner.js';
import { creationOf } from './key-events.js';
import { countedKeySpend } from '../spend/key-totals.js';
import type { KeyStatus } from './dto/key.dto.js';
import { KEY_INSERT, type NewKeyRow } from './new-key.js';
import { changedNow, UPDATED_NOW } from '../../persistence/row-times.js';

/** How many keys an organization has, against its quota. */
export const KEYS_QUOTA = quotaStatement('keys_quota', 'keys', 'api_keys');

/** During the grace of a rotation a key is found by its old hash as well, which is all that its holder may know. */
const HAS_HASH = '(hash = $2 OR previous_hash = $2 AND previous_hash_expires_at > now())';

/** The parts of an event for statements that find the key themselves. */
const FOUND_KEY: AuditedParts = {
  returning: `encode(hash, 'hex') AS hash, name, label`,
  targetId: 'change.hash',
};

/** Inserts a key of an active member, and records it. */
export const INSERT_KEY = auditedStatement<
  { createdAt: Date },
  [...BoundValues<NewKeyRow>, organizationId: string, userId: string]
>('key_insert', `${KEY_INSERT.into} SELECT ${KEY_INSERT.parameters} FROM owner`, KEY_INSERT.count + 2, {
  with: activeOwner(`$${KEY_INSERT.count + 1}`, `$${KEY_INSERT.count + 2}`),
  returning: 'created_at',
  answer: '(SELECT created_at FROM change) AS "createdAt"',
});

/**
 * Deletes a key: of one client only where $3 names it, of one owner only where $4 does, and no management key but that of the id $6 where
 * $5 says so.
 */
export const DELETE_KEY = auditedStatement<
  never,
  [
    organizationId: string,
    hash: Buffer,
    connectClientId: string | null,
    userId: string | null,
    isApiKey: boolean,
    ownId: string | null,
  ]
>(
  'key_delete',
  `DELETE FROM api_keys WHERE organization_id = $1 AND ${HAS_HASH}
    AND ($3::uuid IS NULL OR connect_client_id = $3) AND ($4::text IS NULL OR user_id = $4)
    AND (kind = 'api_key' OR NOT $5::boolean OR id = $6::uuid)`,
  6,
  {
    ...FOUND_KEY,
    changes: `jsonb_build_object('name', jsonb_build_object('before', change.name),
      'label', jsonb_build_object('before', change.label))`,
  },
);

/** Whether a key has a secret, or had it. */
export const IS_KNOWN_SECRET = statement<{ isKnown: boolean }, [organizationId: string, hash: Buffer]>(
  'key_secret_is_known',
  `SELECT EXISTS (SELECT FROM api_keys WHERE organization_id = $1 AND (hash = $2 OR previous_hash = $2))
    OR EXISTS (SELECT FROM retired_key_hashes WHERE organization_id = $1 AND hash = $2) AS "isKnown"`,
);

/** The API keys of some names. */
export const KEYS_BY_NAMES = statement<{ hash: string }, [organizationId: string, names: readonly string[]]>(
  'keys_by_names',
  `SELECT encode(hash, 'hex') AS hash FROM api_keys
    WHERE organization_id = $1 AND kind = 'api_key' AND name = ANY ($2::text[])`,
);

export const DISABLE_KEY = auditedStatement<never, [organizationId: string, id: string]>(
  'key_disable',
  `UPDATE api_keys SET disabled = true, updated_at = ${changedNow()} WHERE organization_id = $1 AND id = $2 AND NOT disabled`,
  2,
  FOUND_KEY,
);

export const KEY_BY_HASH = statement<KeyWithSpend, [organizationId: string, hash: Buffer]>(
  'key_by_hash',
  `${selectKeysWithSpend('api_keys')} WHERE k.organization_id = $1 AND ${HAS_HASH}`,
);

/** A key with its spend, locked for a transaction that will change it. */
export const LOCK_KEY_FOR_UPDATE = statement<KeyWithSpend, [organizationId: string, hash: Buffer]>(
  'key_lock',
  `${KEY_BY_HASH.text} FOR UPDATE OF k`,
);

export const KEY_BY_ID = statement<KeyWithSpend, [organizationId: string, id: string]>(
  'key_by_id',
  `${selectKeysWithSpend('api_keys')} WHERE k.organization_id = $1 AND k.id = $2`,
);

type KeysPageValues = [organizationId: string, includeDisabled: boolean, limit: number, offset: number];

/** A page of all API keys. */
export const KEYS_PAGE = keysPageStatement<KeysPageValues>('keys_page');

/** A page of the API keys of a workspace other than the default one. */
export const KEYS_PAGE_OF_WORKSPACE = keysPageStatement<[...KeysPageValues, workspaceId: string]>(
  'keys_page_of_workspace',
  'AND workspace_id = $5',
);

/** A page of the API keys of the default workspace. */
export const KEYS_PAGE_OF_DEFAULT = keysPageStatement<[...KeysPageValues, workspaceId: string]>(
  'keys_page_of_default',
  'AND (workspace_id IS NULL OR workspace_id = $5)',
);

/** Of keys that are refused, by why. */
const HAS_STATUS = `CASE $9::text
      WHEN 'disabled' THEN disabled
      WHEN 'suspended' THEN cardinality(suspension_causes) > 0
      WHEN 'expired' THEN expires_at <= now()
      WHEN 'active' THEN NOT disabled AND cardinality(suspension_causes) = 0 AND (expires_at IS NULL OR expires_at > now())
      ELSE $2::boolean OR NOT disabled END`;

/** What of the spend of a key counts toward its limit, of its row in `totals`. */
const SPENT = countedKeySpend('item.limit_reset', 'item.include_byok_in_limit');

/** Of keys with a limit: those that have used a share of it. */
const HAS_USED = `($10::double precision IS NULL OR limit_usd IS NOT NULL AND EXISTS (
      SELECT 1 FROM key_spend_totals totals WHERE totals.organization_id = $1 AND totals.key_id = item.id
        AND ${SPENT} >= limit_usd * $10::double precision))`;

type KeysSearchValues = [
  ...KeysPageValues,
  workspaceId: string | null,
  isDefaultWorkspace: boolean,
  text: string | null,
  userId: string | null,
  status: KeyStatus | null,
  limitUsed: number | null,
];

/** What keys can be sorted by. */
const SORTS: ListView['sorts'] = {
  name: 'lower(item.name)',
  created_at: 'item.created_at',
  // Those that do not expire are the last.
  expires_at: 'item.expires_at',
  spent: `coalesce((SELECT ${SPENT} FROM key_spend_totals totals
        WHERE totals.organization_id = $1 AND totals.key_id = item.id), 0)`,
};

/** The text of a page of the keys that filters match; those of a workspace where $5 names it. It reads as many keys as it takes, all at most. */
const searchText = (order: string): string => `WITH page AS MATERIALIZED (
      SELECT matching.*, row_number() OVER () AS place FROM (
        SELECT * FROM api_keys AS item
        WHERE organization_id = $1 AND kind = 'api_key' AND ${HAS_STATUS} AND ($8::text IS NULL OR user_id = $8)
          AND ($5::uuid IS NULL OR workspace_id = $5 OR $6::boolean AND workspace_id IS NULL)
          AND ($7::text IS NULL OR ${hasText(['name', 'label'], 7)} OR starts_with(encode(hash, 'hex'), lower($7)))
          AND ${HAS_USED}
        ORDER BY ${order} LIMIT $3::bigint OFFSET $4::bigint
      ) AS matching
    )
    ${selectKeysWithSpend('page')} ORDER BY k.place`;

/** A page of the keys that filters match, oldest first. */
export const KEYS_SEARCH = statement<KeyWithSpend, KeysSearchValues>(
  'keys_search',
  searchText('item.created_at, item.id'),
);

/** A page of the keys that filters match, in another order. */
export function sortedKeys(sort: string): Statement<KeyWithSpend, KeysSearchValues> {
  return singleStatement(`${KEYS_SEARCH.name}_sorted`, searchText(sortedBy({ sorts: SORTS }, sort)));
}

/** Writes a key. Hash and label change by a rotation only. */
export const UPDATE_KEY = updateStatement('key_update', ApiKeyEntity, UPDATED_NOW);

/** Gives a key another secret. An earlier previous secret is no longer accepted. */
export const ROTATE_KEY = statement<
  never,
  [organizationId: string, id: string, hash: Buffer, label: string, graceSeconds: number]
>(
  'key_rotate',
  `UPDATE api_keys SET hash = $3, label = $4, updated_at = ${changedNow()},
      previous_hash = CASE WHEN $5::integer > 0 THEN hash END,
      previous_hash_expires_at = now() + nullif($5::integer, 0) * interval '1 second'
    WHERE organization_id = $1 AND id = $2`,
);

/** The API keys of some hashes, each beside the hash that it was found by. */
export const KEYS_BY_HASHES = statement<
  KnownKey & { readonly askedHash: string },
  [organizationId: string, hashes: readonly string[]]
>(
  'keys_by_hashes',
  `SELECT encode(asked.hash, 'hex') AS "askedHash", key.id, encode(key.hash, 'hex') AS hash, key.name, key.label,
      key.user_id AS "userId", key.workspace_id AS "workspaceId"
    FROM (SELECT DISTINCT decode(text, 'hex') AS hash FROM unnest($2::text[]) AS text) AS asked
    CROSS JOIN LATERAL (
      SELECT * FROM api_keys WHERE organization_id = $1 AND hash = asked.hash
      UNION ALL
      SELECT * FROM api_keys
      WHERE organization_id = $1 AND previous_hash = asked.hash AND previous_hash_expires_at > now()
    ) AS key
    WHERE key.kind = 'api_key'`,
);

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
  /** Unless a status is asked for. */
  readonly includeDisabled: boolean;
  readonly userId?: string;
  readonly status?: KeyStatus;
  /** The least share of its limit that a key has used. */
  readonly limitUsed?: number;
  readonly workspace?: { readonly id: string; readonly isDefault: boolean };
}

/** Among which keys one is deleted; all of the organization by default. */
export interface DeletableKeys {
  /** Keys that this client created. */
  readonly connectClientId?: string;
  /** Keys of this owner. */
  readonly userId?: string;
  /** API keys, and of management keys this one. */
  readonly onlyManagementKeyId?: string;
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

  /**
   * Inserts a key and its audit event in one statement.
   *
   * @param tx the transaction that the key belongs to, if it belongs to one
   * @returns when it was created; undefined if its owner is no active member of the organization
   */
  async insert(key: NewKeyRow, actor: Actor, tx?: Transaction): Promise<Date | undefined> {
    const { organizationId, userId } = key;
    const event = auditEventOf(organizationId, actor, creationOf(key));
    const values = INSERT_KEY.values([...KEY_INSERT.values(key), organizationId, userId], event);
    return (await (tx ?? this.statements).first(INSERT_KEY, values))?.createdAt;
  }

  async find(organizationId: string, hash: Buffer): Promise<KeyWithSpend | undefined> {
    return this.statements.first(KEY_BY_HASH, [organizationId, hash]);
  }

  /** Finds a key and locks it against changes by others until the end of the transaction. */
  /** Whether a key has a secret of this hash, or had it. */
  async isKnown(organizationId: string, hash: Buffer): Promise<boolean> {
    return (await this.statements.first(IS_KNOWN_SECRET, [organizationId, hash]))!.isKnown;
  }

  /** The hashes of the API keys of some names, in hex. */
  async hashesByNames(organizationId: string, names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    return (await this.statements.rows(KEYS_BY_NAMES, [organizationId, names])).map(({ hash }) => hash);
  }

  async lockForUpdate(tx: Transaction, organizationId: string, hash: Buffer): Promise<KeyWithSpend | undefined> {
    return tx.first(LOCK_KEY_FOR_UPDATE, [organizationId, hash]);
  }

  /** @param describe made by {@link currentKeyStatement} */
  async findCurrent(
    organizationId: string,
    id: string,
    describe: CurrentKeyStatement,
  ): Promise<CurrentKeyRow | undefined> {
    return this.statements.first(describe, [organizationId, id]);
  }

  /** One page of the API keys, oldest first unless another order is asked for. */
  async page(
    organizationId: string,
    { includeDisabled, workspace, userId, status, limitUsed }: KeyFilter,
    { limit, offset, search, sort }: PageRequest,
  ): Promise<KeyWithSpend[]> {
    const values: KeysPageValues = [organizationId, includeDisabled, limit, offset];
    if ([search, sort, userId, status, limitUsed].some((asked) => asked !== undefined)) {
      const workspaceValues = [workspace?.id ?? null, workspace?.isDefault ?? false] as const;
      const filters = [search ?? null, userId ?? null, status ?? null, limitUsed ?? null] as const;
      const page = sort === undefined ? KEYS_SEARCH : sortedKeys(sort);
      return this.statements.rows(page, [...values, ...workspaceValues, ...filters]);
    }
    if (workspace === undefined) return this.statements.rows(KEYS_PAGE, values);
    const page = workspace.isDefault ? KEYS_PAGE_OF_DEFAULT : KEYS_PAGE_OF_WORKSPACE;
    return this.statements.rows(page, [...values, workspace.id]);
  }

  /** @returns by the hash that was asked for */
  async byHashes(
    runner: StatementRunner,
    organizationId: string,
    hashes: readonly string[],
  ): Promise<ReadonlyMap<string, KnownKey>> {
    const rows = await runner.rows(KEYS_BY_HASHES, [organizationId, hashes]);
    return new Map(rows.map(({ askedHash, ...key }) => [askedHash, key]));
  }

  /** Writes a key. @param tx holds the key @returns the key as it is now */
  async update(tx: Transaction, key: ApiKeyEntity): Promise<KeyWithSpend> {
    await tx.write(UPDATE_KEY, UPDATE_KEY.values(key));
    return this.reread(tx, key.organizationId, key.id);
  }

  /**
   * Gives a key another secret.
   *
   * @param graceSeconds how long the old secret is still accepted
   * @returns the key as it is now
   */
  async rotate(
    tx: Transaction,
    { organizationId, id }: ApiKeyEntity,
    { hash, label }: NewSecret,
    graceSeconds: number,
  ): Promise<KeyWithSpend> {
    await tx.write(ROTATE_KEY, [organizationId, id, hash, label, graceSeconds]);
    return this.reread(tx, organizationId, id);
  }

  /**
   * Deletes a key and records it, in one statement.
   *
   * @param among which keys it may be
   * @param runner the transaction that holds it, if there is one
   * @returns whether there was such a key
   */
  async delete(
    organizationId: string,
    hash: Buffer,
    actor: Actor,
    among: DeletableKeys = {},
    runner: StatementRunner = this.statements,
  ): Promise<boolean> {
    const { connectClientId = null, userId = null, onlyManagementKeyId } = among;
    const event = auditEventOf(organizationId, actor, { action: 'key.delete' });
    const isApiKey = onlyManagementKeyId !== undefined;
    const found = [organizationId, hash, connectClientId, userId, isApiKey, onlyManagementKeyId ?? null] as const;
    const values = DELETE_KEY.values([...found], event);
    return (await runner.write(DELETE_KEY, values)) === 1;
  }

  /** Disables a key and records it in one statement, unless the key is disabled already. */
  async disable(organizationId: string, id: string, actor: Actor): Promise<void> {
    const changes = { disabled: { before: false, after: true } };
    const event = auditEventOf(organizationId, actor, { action: 'key.disable', changes });
    await this.statements.write(DISABLE_KEY, DISABLE_KEY.values([organizationId, id], event));
  }

  private async reread(tx: Transaction, organizationId: string, id: string): Promise<KeyWithSpend> {
    // The transaction has locked the key, so it is there.
    return (await tx.first(KEY_BY_ID, [organizationId, id]))!;
  }
}

/** @param and a further condition, with the workspace as $5 */
function keysPageStatement<Values extends readonly unknown[]>(name: string, and = ''): Statement<KeyWithSpend, Values> {
  const page = `SELECT * FROM api_keys
    WHERE organization_id = $1 AND kind = 'api_key' AND ($2::boolean OR NOT disabled) ${and}
    ORDER BY created_at, id LIMIT $3::bigint OFFSET $4::bigint`;
  // By itself, so that what the keys have spent has no say in how the page is found.
  const text = `WITH page AS MATERIALIZED (${page}) ${selectKeysWithSpend('page')} ORDER BY k.created_at, k.id`;
  return statement(name, text);
}
