import { Injectable } from '@nestjs/common';
import { columnsOf, entityColumns } from '../../../persistence/entity-columns.js';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { type Page, type PageRequest, pageStatement } from '../../../persistence/page-statement.js';
import { rowsOfOrganizations } from '../../../persistence/rows-of-organizations.js';
import { statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { updateStatement } from '../../../persistence/update-statement.js';
import { quotaStatement } from '../../../persistence/quota-statement.js';
import { type Actor, auditedStatement, auditEventOf } from '../../audit/audit-trail.js';
import type { AuditedEvent } from '../../audit/audited-event.js';
import type { KeyRotationListener, RotatedKey } from '../../keys/key-rotation-listeners.js';
import { workspaceOrDefault } from '../../workspaces/workspace-or-default.js';
import { ProviderKeyEntity } from '../entities/provider-key.entity.js';
import type { ShownKey } from './own-keys.mapper.js';
import { CREATED_NOW } from '../../../persistence/row-times.js';

/** How many provider keys an organization has, against its quota. */
export const PROVIDER_KEYS_QUOTA = quotaStatement('provider_keys_quota', 'provider_keys', 'provider_keys');

const SHOWN = entityColumns(ProviderKeyEntity)
  .map(({ property }) => property as keyof ProviderKeyEntity)
  .filter((property) => property !== 'encryptedKey');

export const PROVIDER_KEY_BY_ID = statement<ShownKey, [organizationId: string, id: string]>(
  'provider_key_by_id',
  `SELECT ${columnsOf(ProviderKeyEntity, 'k', SHOWN)} FROM provider_keys k WHERE k.organization_id = $1 AND k.id = $2`,
);

/** A provider key of any organization for a provider. Only an operator who connects the provider asks so. */
export const ANY_PROVIDER_KEY = statement<{ id: string }, [provider: string]>(
  'provider_key_of_any_organization',
  'SELECT id FROM provider_keys WHERE provider = $1 LIMIT 1',
);

/** Selects a provider key and locks it until the end of the transaction. */
export const LOCK_PROVIDER_KEY = statement<ProviderKeyEntity, [organizationId: string, id: string]>(
  'provider_key_for_update',
  `SELECT ${columnsOf(ProviderKeyEntity, 'k')} FROM provider_keys k
    WHERE k.organization_id = $1 AND k.id = $2 FOR UPDATE`,
);

const LISTED = `organization_id = $1
  AND workspace_id = ${workspaceOrDefault('$2::uuid')}
  AND ($3::text IS NULL OR provider = $3)`;

/** A page of a workspace's provider keys; these are few, so they are counted when the page is read. */
export const PROVIDER_KEYS_PAGE = pageStatement<
  ShownKey,
  [organizationId: string, workspaceId: string | null, provider: string | null]
>({
  name: 'provider_keys_page',
  entity: ProviderKeyEntity,
  where: LISTED,
  parameters: 3,
  total: `(SELECT count(*) FROM provider_keys WHERE ${LISTED})`,
  order: ['createdAt', 'id'],
  columns: columnsOf(ProviderKeyEntity, 'item', SHOWN),
});

/** Creations of provider keys in one workspace take turns, so that each sees the keys of the others. */
export const LOCK_PROVIDER_KEYS_OF_WORKSPACE = statement<object, [workspaceId: string]>(
  'provider_keys_take_turns',
  "SELECT pg_advisory_xact_lock(hashtextextended('provider_keys/' || $1::text, 0))",
);

/** How many provider keys a workspace has, and the place after those for one provider. */
export const PROVIDER_KEYS_OF_WORKSPACE = statement<
  { count: number; next_order: number },
  [organizationId: string, workspaceId: string, provider: string]
>(
  'provider_keys_of_workspace',
  `SELECT count(*)::int AS count, coalesce(max(sort_order) FILTER (WHERE provider = $3), -1) + 1 AS next_order
    FROM provider_keys WHERE organization_id = $1 AND workspace_id = $2`,
);

export const INSERT_PROVIDER_KEY = insertStatement('provider_key_insert', ProviderKeyEntity, CREATED_NOW);

/** Changes a provider key. */
export const UPDATE_PROVIDER_KEY = updateStatement('provider_key_update', ProviderKeyEntity);

/** Deletes a provider key and records it. */
export const DELETE_PROVIDER_KEY = auditedStatement<never, [organizationId: string, id: string]>(
  'provider_key_delete',
  'DELETE FROM provider_keys WHERE organization_id = $1 AND id = $2',
  2,
);

/**
 * The provider keys that a request may use, in the order in which they are tried, and those for other models that rule out the
 * credentials of the deployment all the same.
 */
export const USABLE_PROVIDER_KEYS = statement<
  UsableKeyRow,
  [
    organizationId: string,
    workspaceId: string,
    models: readonly string[],
    keyHash: string | null,
    userId: string | null,
  ]
>(
  'provider_keys_usable',
  `SELECT k.id, k.organization_id AS "organizationId", k.workspace_id AS "workspaceId", k.provider, k.name,
      k.encrypted_key AS "encryptedKey", k.is_fallback AS "isFallback", k.sort_order AS "sortOrder",
      k.is_required AS "isRequired", k.is_byok_only AS "isByokOnly", k.declared_zdr AS "declaredZdr",
      k.allowed_models IS NULL OR k.allowed_models && $3::text[] AS "isForModel"
    FROM provider_keys k
    WHERE k.organization_id = $1 AND k.workspace_id = $2 AND NOT k.disabled
      AND (k.allowed_models IS NULL OR k.allowed_models && $3::text[] OR k.is_byok_only)
      AND (k.allowed_api_key_hashes IS NULL OR $4::text = ANY (k.allowed_api_key_hashes))
      AND (k.allowed_user_ids IS NULL OR $5::text = ANY (k.allowed_user_ids))
    ORDER BY k.is_fallback, k.provider, k.sort_order, k.id`,
);

/** The provider keys that requests of an API key may use, with the models that they are for; no workspace is the default one. */
export const PROVIDER_KEYS_OF_CALLER = statement<
  CallerKeyRow,
  [organizationId: string, workspaceId: string | null, keyHash: string, userId: string]
>(
  'provider_keys_of_caller',
  `SELECT k.id, k.organization_id AS "organizationId", k.workspace_id AS "workspaceId", k.provider,
      k.encrypted_key AS "encryptedKey", k.allowed_models AS "allowedModels",
      k.is_required AS "isRequired", k.is_byok_only AS "isByokOnly", k.declared_zdr AS "declaredZdr"
    FROM provider_keys k
    WHERE k.organization_id = $1 AND NOT k.disabled AND k.workspace_id = coalesce(
        $2::uuid, (SELECT w.id FROM workspaces w WHERE w.organization_id = $1 AND w.is_default)
      )
      AND (k.allowed_api_key_hashes IS NULL OR $3::text = ANY (k.allowed_api_key_hashes))
      AND (k.allowed_user_ids IS NULL OR $4::text = ANY (k.allowed_user_ids))`,
);

/** The providers for which an organization has keys that are not disabled, in whichever workspace. */
export const PROVIDERS_WITH_OWN_KEYS = statement<{ provider: string }, [organizationId: string]>(
  'provider_keys_providers',
  'SELECT DISTINCT provider FROM provider_keys WHERE organization_id = $1 AND NOT disabled',
);

/** Lets the keys that an API key may use be used by it after its rotation: it is the same key. */
export const REPLACE_KEY_HASH_IN_PROVIDER_KEYS = statement<
  never,
  [organizationId: string, before: string, after: string]
>(
  'provider_keys_replace_key_hash',
  `UPDATE provider_keys SET allowed_api_key_hashes = array_replace(allowed_api_key_hashes, $2::text, $3::text)
    WHERE organization_id = $1 AND $2::text = ANY (allowed_api_key_hashes)`,
);

/** A batch across all organizations: the encryption key is the deployment's, and so is the command that changes it. */
export const PROVIDER_KEYS_AFTER = statement<StoredKey, [organizationId: string, after: string, limit: number]>(
  'provider_keys_batch',
  `SELECT id, organization_id AS "organizationId", workspace_id AS "workspaceId", provider,
      encrypted_key AS "encryptedKey"
    FROM provider_keys WHERE (organization_id, id) > ($1, $2::uuid) ORDER BY organization_id, id LIMIT $3`,
);

/** Replaces the encrypted form of a key, unless the key has changed since it was read. */
export const REPLACE_ENCRYPTED_PROVIDER_KEY = statement<
  never,
  [organizationId: string, id: string, known: Buffer, replacement: Buffer]
>(
  'provider_key_encrypted_replace',
  'UPDATE provider_keys SET encrypted_key = $4 WHERE organization_id = $1 AND id = $2 AND encrypted_key = $3',
);

/** A provider key as it is stored, with what it is bound to. */
export type StoredKey = Pick<ProviderKeyEntity, 'id' | 'organizationId' | 'workspaceId' | 'provider' | 'encryptedKey'>;

/** What a provider key says of the credentials of the deployment, and of zero data retention. */
export type KeyRules = Pick<ProviderKeyEntity, 'isRequired' | 'isByokOnly' | 'declaredZdr'>;

/** A provider key, as far as a request to the provider goes. */
export type UsableKeyRow = StoredKey &
  KeyRules &
  Pick<ProviderKeyEntity, 'name' | 'isFallback' | 'sortOrder'> & {
    /** Whether it is used for the model of the request. */
    readonly isForModel: boolean;
  };

/** Who uses provider keys, and what for. */
export interface KeyUse {
  readonly organizationId: string;
  readonly workspaceId: string;
  /** The hash of the caller's API key, in lowercase hex; null for another credential. */
  readonly keyHash: string | null;
  /** The user of the caller's credential; null for none. */
  readonly userId: string | null;
  /** The canonical slug of the model, with the suffix of a variant if it has one. */
  readonly model: string;
}

/** An API key, as far as provider keys can be restricted to it. */
export interface RestrictableKey extends Pick<KeyUse, 'organizationId'> {
  /** Null is the default workspace. */
  readonly workspaceId: string | null;
  readonly keyHash: string;
  readonly userId: string;
}

/** A provider key that a caller may use, and the canonical slugs of the models that it is for; null is every model. */
export type CallerKeyRow = StoredKey & KeyRules & Pick<ProviderKeyEntity, 'allowedModels'>;

/** The rows of the organizations' own keys. */
@Injectable()
export class OwnKeysRepository implements KeyRotationListener {
  constructor(private readonly statements: Statements) {}

  /** @param id in UUID form */
  async find(organizationId: string, id: string): Promise<ShownKey | undefined> {
    return this.statements.first(PROVIDER_KEY_BY_ID, [organizationId, id]);
  }

  /** Locks it against changes by others until the end of the transaction. */
  async lockForUpdate(tx: Transaction, organizationId: string, id: string): Promise<ProviderKeyEntity | undefined> {
    return tx.first(LOCK_PROVIDER_KEY, [organizationId, id]);
  }

  /** @param workspaceId undefined for the organization's default workspace @param provider undefined for all */
  async page(
    organizationId: string,
    workspaceId: string | undefined,
    provider: string | undefined,
    request: PageRequest,
  ): Promise<Page<ShownKey>> {
    return this.statements.page(PROVIDER_KEYS_PAGE, [organizationId, workspaceId ?? null, provider ?? null], request);
  }

  /**
   * How many provider keys a workspace has, and the place after those for a provider; locked against changes by others until the
   * end of the transaction.
   */
  async ofWorkspace(
    tx: Transaction,
    organizationId: string,
    workspaceId: string,
    provider: string,
  ): Promise<{ count: number; nextOrder: number }> {
    await tx.rows(LOCK_PROVIDER_KEYS_OF_WORKSPACE, [workspaceId]);
    const row = (await tx.first(PROVIDER_KEYS_OF_WORKSPACE, [organizationId, workspaceId, provider]))!;
    return { count: row.count, nextOrder: row.next_order };
  }

  /** @returns the key as it is stored */
  async insert(tx: Transaction, key: Omit<ProviderKeyEntity, 'createdAt'>): Promise<ProviderKeyEntity> {
    return { ...key, ...(await tx.first(INSERT_PROVIDER_KEY, INSERT_PROVIDER_KEY.values(key)))! };
  }

  /** @param tx holds the key */
  async update(tx: Transaction, key: ProviderKeyEntity): Promise<void> {
    await tx.write(UPDATE_PROVIDER_KEY, UPDATE_PROVIDER_KEY.values(key));
  }

  /** @param runner the transaction that holds it, if there is one @returns whether there was such a key */
  async delete(
    organizationId: string,
    id: string,
    actor: Actor,
    event: AuditedEvent,
    runner: StatementRunner = this.statements,
  ): Promise<boolean> {
    const values = DELETE_PROVIDER_KEY.values([organizationId, id], auditEventOf(organizationId, actor, event));
    return (await runner.write(DELETE_PROVIDER_KEY, values)) > 0;
  }

  /** The provider keys that concern a request, in the order in which those for its model are tried. */
  async usable({ organizationId, workspaceId, model, keyHash, userId }: KeyUse): Promise<UsableKeyRow[]> {
    const names = namesOf(model);
    return this.statements.rows(USABLE_PROVIDER_KEYS, [organizationId, workspaceId, names, keyHash, userId]);
  }

  /** The provider keys that requests of an API key may use, whatever the model. */
  async ofCaller({ organizationId, workspaceId, keyHash, userId }: RestrictableKey): Promise<CallerKeyRow[]> {
    return this.statements.rows(PROVIDER_KEYS_OF_CALLER, [organizationId, workspaceId, keyHash, userId]);
  }

  /** The providers for which an organization has keys that are not disabled. */
  async providersOf(organizationId: string): Promise<ReadonlySet<string>> {
    const rows = await this.statements.rows(PROVIDERS_WITH_OWN_KEYS, [organizationId]);
    return new Set(rows.map(({ provider }) => provider));
  }

  /** Replaces the old hash of an API key by the new one, in every own key that names it. */
  async onKeyRotated(tx: Transaction, { organizationId, before, after }: RotatedKey): Promise<void> {
    await tx.write(REPLACE_KEY_HASH_IN_PROVIDER_KEYS, [organizationId, before, after]);
  }

  /** Whether any organization has a key for a provider. */
  async existFor(provider: string): Promise<boolean> {
    return (await this.statements.first(ANY_PROVIDER_KEY, [provider])) !== undefined;
  }

  /** Every own key of the deployment, one organization after the other, read in batches while it goes on. */
  everyKey(): AsyncGenerator<StoredKey> {
    return rowsOfOrganizations((after) => this.statements.rows(PROVIDER_KEYS_AFTER, after));
  }

  /** Replaces an encrypted key, unless it has changed since it was read. @returns whether it has been replaced */
  async replaceEncrypted({ organizationId, id, encryptedKey }: StoredKey, replacement: Buffer): Promise<boolean> {
    const values = [organizationId, id, encryptedKey, replacement] as const;
    return (await this.statements.write(REPLACE_ENCRYPTED_PROVIDER_KEY, [...values])) === 1;
  }
}

/** The names by which a provider key can be restricted to a model: a variant goes by that of its base model too. */
export function namesOf(model: string): readonly string[] {
  const [base = model] = model.split(':');
  return [model, base];
}
