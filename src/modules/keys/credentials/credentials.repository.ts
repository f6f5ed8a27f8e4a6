import { Injectable } from '@nestjs/common';
import { errorCode } from '../../../persistence/database-failures.js';
import { Coalescer } from '../../../concurrency/coalescer.js';
import { type Statement, statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import type { SecretInOrganization, SecretReference } from './key-format.js';
import { type KeyOwner, keyOwnerColumns, type PermittedKeyOwner, permittedKeyOwnerColumns } from './key-owner.js';

/** The row for a hash that belongs to no credential. */
interface NoKeyOwner {
  readonly id: null;
}

/** What a client secret's row says of its client. */
export interface SecretOwner {
  readonly id: string;
  readonly organization_id: string;
}

interface Hash {
  readonly hash: Buffer;
}

/** A hash that is looked for in one organization. */
interface HashInOrganization extends Hash {
  readonly organizationId: string;
}

// These run ahead of every operation. They are not cached: a deleted key is refused by every replica at once. The limit ends
// the search at the first row, so that the old secrets of rotations are searched only for a hash that is not a current one.
// A credential of version 2 states its organization, and where the tables are partitioned by organization it is looked for in
// one partition. Those of version 1 and of partners state none (docs/adr/0015-organization-in-credentials.md).

/** The hashes of a list, each with its organization. */
const HASHES_IN_ORGANIZATIONS =
  'unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS asked (organization_id, hash, position)';

/** The hashes of a list. */
const HASHES = 'unnest($1::bytea[]) WITH ORDINALITY AS asked (hash, position)';

type OwnerByHash<Owner extends KeyOwner = PermittedKeyOwner> = Statement<Owner, [hash: Buffer]>;

type OwnersByHashes<Owner extends KeyOwner = PermittedKeyOwner> = Statement<
  Owner | NoKeyOwner,
  [hashes: readonly Buffer[]]
>;

export const KEY_OWNER = statement<PermittedKeyOwner, [organizationId: string, hash: Buffer]>(
  'key_owner',
  ownerOf(hasHash('$2', '$1'), permittedKeyOwnerColumns('k', '$1')),
);

/** The owners of several keys, as many as there are hashes and in their order. */
export const KEY_OWNERS = statement<
  PermittedKeyOwner | NoKeyOwner,
  [organizationIds: readonly string[], hashes: readonly Buffer[]]
>(
  'key_owners',
  ownersOf(
    HASHES_IN_ORGANIZATIONS,
    hasHash('asked.hash', 'asked.organization_id'),
    permittedKeyOwnerColumns('k', 'asked.organization_id'),
  ),
);

/** The owner of an API key that an access token names. */
export const KEY_OWNER_BY_ID = statement<KeyOwner, [organizationId: string, id: string]>(
  'key_owner_by_id',
  `SELECT ${keyOwnerColumns('k')} FROM api_keys k WHERE k.organization_id = $1 AND k.id = $2 AND k.kind = 'api_key'`,
);

/** The owner of a key of version 1. */
export const OLD_KEY_OWNER: OwnerByHash = statement('old_key_owner', ownerOf(hasHash('$1')));

/** The owners of several keys of version 1, as many as there are hashes and in their order. */
export const OLD_KEY_OWNERS: OwnersByHashes = statement('old_key_owners', ownersOf(HASHES, hasHash('asked.hash')));

/**
 * The owner of a secret that a partner brought: none where it is there twice, as it may be where tables are distributed, because no key
 * is unique across organizations there (docs/deploy/citus.md).
 */
export const EXTERNAL_KEY_OWNER: OwnerByHash<KeyOwner> = statement(
  'external_key_owner',
  `SELECT owner.* FROM (
      SELECT ${keyOwnerColumns('k')}, count(*) OVER () AS "owners" FROM api_keys k WHERE ${hasExternalHash('$1')}
    ) AS owner WHERE owner."owners" = 1`,
);

/** The owners of several secrets that partners brought, as many as there are hashes and in their order. */
export const EXTERNAL_KEY_OWNERS: OwnersByHashes<KeyOwner> = statement(
  'external_key_owners',
  ownersOf(HASHES, [hasExternalHash('asked.hash')], keyOwnerColumns('k')),
);

export const CLIENT_OF_SECRET = statement<SecretOwner, [organizationId: string, secretHash: Buffer]>(
  'client_owner',
  clientOf(hasSecretHash('$2', '$1')),
);

/** The client of a secret of version 1. */
export const CLIENT_OF_OLD_SECRET = statement<SecretOwner, [secretHash: Buffer]>(
  'old_client_owner',
  clientOf(hasSecretHash('$1')),
);

/** What a provisioning token's row says of it. */
export interface TokenOwner extends SecretOwner {
  readonly expired: boolean;
  /** Whether it was noted in the last minute that the token is used. */
  readonly used_lately: boolean;
}

/** The token of a directory. */
export const OWNER_OF_PROVISIONING_TOKEN = statement<TokenOwner, [organizationId: string, hash: Buffer]>(
  'provisioning_token_owner',
  firstOf(
    `SELECT id, organization_id, coalesce(expires_at <= now(), false) AS expired,
      coalesce(last_used_at > now() - interval '1 minute', false) AS used_lately FROM provisioning_tokens`,
    hasHash('$2', '$1'),
  ),
);

/** Notes that a token is used, once a minute: a token that is used all the time is not written with each request. */
export const NOTE_USE_OF_PROVISIONING_TOKEN = statement<never, [organizationId: string, id: string]>(
  'provisioning_token_used',
  `UPDATE provisioning_tokens SET last_used_at = now() WHERE organization_id = $1 AND id = $2
    AND (last_used_at IS NULL OR last_used_at <= now() - interval '1 minute')`,
);

/** Finds whom credentials belong to. */
@Injectable()
export class CredentialsRepository {
  /** Whether the database has refused to look up keys of several organizations in one statement (docs/deploy/citus.md). */
  private isDistributed = false;
  private readonly keyOwners = new Coalescer<HashInOrganization, PermittedKeyOwner | undefined>(
    ({ organizationId, hash }) => `${organizationId} ${hash.toString('latin1')}`,
    (keys) =>
      eachOf(
        keys,
        this.ownersOf(
          keys,
          ({ organizationId, hash }) => this.statements.first(KEY_OWNER, [organizationId, hash]),
          () => this.statements.rows(KEY_OWNERS, [keys.map(({ organizationId }) => organizationId), hashesOf(keys)]),
        ),
      ),
  );
  private readonly oldKeyOwners = new Coalescer<Hash, PermittedKeyOwner | undefined>(nameOf, (keys) =>
    eachOf(keys, this.ownersByHash(OLD_KEY_OWNER, OLD_KEY_OWNERS, keys)),
  );
  private readonly externalKeyOwners = new Coalescer<Hash, KeyOwner | undefined>(nameOf, (keys) =>
    eachOf(keys, this.ownersByHash(EXTERNAL_KEY_OWNER, EXTERNAL_KEY_OWNERS, keys)),
  );

  constructor(private readonly statements: Statements) {}

  async keyOwner({ organizationId, hash }: SecretReference): Promise<PermittedKeyOwner | undefined> {
    return organizationId === null ? this.oldKeyOwners.get({ hash }) : this.keyOwners.get({ organizationId, hash });
  }

  /** @param id of an API key */
  async keyOwnerById(organizationId: string, id: string): Promise<KeyOwner | undefined> {
    return this.statements.first(KEY_OWNER_BY_ID, [organizationId, id]);
  }

  /** @param hash of a secret that a partner brought */
  async externalKeyOwner(hash: Buffer): Promise<KeyOwner | undefined> {
    return this.externalKeyOwners.get({ hash });
  }

  async clientOwner({ organizationId, hash }: SecretReference): Promise<SecretOwner | undefined> {
    return organizationId === null
      ? this.statements.first(CLIENT_OF_OLD_SECRET, [hash])
      : this.statements.first(CLIENT_OF_SECRET, [organizationId, hash]);
  }

  /** The token of a directory, whose use is noted. */
  async provisioningTokenOwner({ organizationId, hash }: SecretInOrganization): Promise<TokenOwner | undefined> {
    const owner = await this.statements.first(OWNER_OF_PROVISIONING_TOKEN, [organizationId, hash]);
    if (owner?.expired === false && !owner.used_lately) {
      await this.statements.write(NOTE_USE_OF_PROVISIONING_TOKEN, [organizationId, owner.id]);
    }
    return owner;
  }

  private ownersByHash<Owner extends KeyOwner>(
    ofOne: OwnerByHash<Owner>,
    ofSeveral: OwnersByHashes<Owner>,
    keys: readonly Hash[],
  ): Promise<(Owner | undefined)[]> {
    return this.ownersOf(
      keys,
      ({ hash }) => this.statements.first(ofOne, [hash]),
      () => this.statements.rows(ofSeveral, [hashesOf(keys)]),
    );
  }

  /** PostgreSQL plans a list anew each time, so the usual case of one key is better off without one. */
  private async ownersOf<Key, Owner extends KeyOwner>(
    keys: readonly Key[],
    ofOne: (key: Key) => Promise<Owner | undefined>,
    ofSeveral: () => Promise<(Owner | NoKeyOwner)[]>,
  ): Promise<(Owner | undefined)[]> {
    if (keys.length > 1 && !this.isDistributed) {
      try {
        return (await ofSeveral()).map((row) => ownerIn<Owner>(row));
      } catch (error) {
        if (errorCode(error) !== FEATURE_NOT_SUPPORTED) throw error;
        this.isDistributed = true;
      }
    }
    return Promise.all(keys.map(ofOne));
  }
}

/** The SQLSTATE of what an engine that distributes tables cannot plan. */
const FEATURE_NOT_SUPPORTED = '0A000';

function nameOf({ hash }: Hash): string {
  return hash.toString('latin1');
}

/** The rows that one statement finds for some keys, each by itself. */
function eachOf<Row>(keys: readonly unknown[], rows: Promise<readonly Row[]>): Promise<Row>[] {
  return keys.map(async (_, index) => (await rows)[index]!);
}

function hashesOf(keys: readonly Hash[]): Buffer[] {
  return keys.map(({ hash }) => hash);
}

function ownerIn<Owner extends KeyOwner>(row: Owner | NoKeyOwner): Owner | undefined {
  return row.id === null ? undefined : row;
}

/**
 * The conditions under which a hash is that of a key. The second condition is looked at only for a hash that the first one finds nothing for.
 *
 * @param hash the expression of the hash that is looked for
 * @param organizationId that of its organization, where it is known
 */
function hasHash(hash: string, organizationId?: string): string[] {
  return [`hash = ${hash}`, `previous_hash = ${hash} AND previous_hash_expires_at > now()`].map(within(organizationId));
}

/** Where a hash is that of a secret that a partner brought, which is in use once in the deployment. */
function hasExternalHash(hash: string): string {
  return `external_api_key_hash = ${hash}`;
}

/** {@link hasHash} for the secrets of Connect clients. */
function hasSecretHash(hash: string, organizationId?: string): string[] {
  const isPrevious = `previous_secret_hash = ${hash} AND previous_secret_expires_at > now()`;
  return [`secret_hash = ${hash}`, isPrevious].map(within(organizationId));
}

function within(organizationId: string | undefined): (condition: string) => string {
  return (condition) =>
    organizationId === undefined ? condition : `organization_id = ${organizationId} AND ${condition}`;
}

/** @param conditions are tried from the first on */
function ownerOf(conditions: readonly string[], columns = permittedKeyOwnerColumns('k')): string {
  return firstOf(`SELECT ${columns} FROM api_keys k`, conditions);
}

function ownersOf(asked: string, conditions: readonly string[], columns?: string): string {
  return `SELECT owner.* FROM ${asked}
    LEFT JOIN LATERAL (${ownerOf(conditions, columns)}) AS owner ON true
    ORDER BY position`;
}

/** @param conditions are tried from the first on */
function clientOf(conditions: readonly string[]): string {
  return firstOf('SELECT id, organization_id FROM connect_clients', conditions);
}

function firstOf(select: string, conditions: readonly string[]): string {
  return `${conditions.map((condition) => `${select} WHERE ${condition}`).join('\n    UNION ALL\n    ')}
    LIMIT 1`;
}
