import { Injectable } from '@nestjs/common';
import { GatheredLookup } from '../../database/gathered-lookup.js';
import { type Statement, Statements } from '../../database/statements.js';
import type { ApiKeyKind } from './key-format.js';

/** What a credential's row says of its holder. */
export interface KeyHolder {
  readonly id: string;
  readonly kind: ApiKeyKind;
  readonly organization_id: string;
  readonly user_id: string;
  readonly workspace_id: string | null;
  readonly disabled: boolean;
  readonly expired: boolean;
}

/** The row of a hash that nobody holds. */
interface Absent {
  readonly id: null;
}

/** What a client secret's row says of its client. */
export interface ClientHolder {
  readonly id: string;
  readonly organization_id: string;
}

// These run ahead of every operation. They are not cached: a deleted key is refused by every replica at once. The limit ends
// the search at the first row, so that a rotation's old secrets are looked at only for a hash that is nobody's current one.

/** A condition on a row of a key. @param hash the expression of the hash that is looked for */
type HashCondition = (hash: string) => string;

/** Where a hash is a key's. The second condition is looked at only for a hash that the first one finds nothing for. */
const HAS_HASH: readonly HashCondition[] = [
  (hash) => `hash = ${hash}`,
  (hash) => `previous_hash = ${hash} AND previous_hash_expires_at > now()`,
];

/** Where a hash is that of a secret that a partner brought. */
const HAS_EXTERNAL_HASH: readonly HashCondition[] = [(hash) => `external_api_key_hash = ${hash}`];

/** The holder of a key. */
export const KEY_HOLDER = {
  name: 'key_holder',
  text: holderOf(HAS_HASH, '$1'),
};

/** The holders of several keys, as many as there are hashes and in their order. */
export const KEY_HOLDERS = { name: 'key_holders', text: holdersOf(HAS_HASH) };

/** The holder of a secret that a partner brought. */
export const EXTERNAL_KEY_HOLDER = { name: 'external_key_holder', text: holderOf(HAS_EXTERNAL_HASH, '$1') };

/** The holders of several secrets that partners brought, as many as there are hashes and in their order. */
export const EXTERNAL_KEY_HOLDERS = { name: 'external_key_holders', text: holdersOf(HAS_EXTERNAL_HASH) };

/** The client of a secret. */
export const CLIENT_HOLDER = {
  name: 'client_holder',
  text: `SELECT id, organization_id FROM connect_clients WHERE secret_hash = $1
    UNION ALL
    SELECT id, organization_id FROM connect_clients WHERE previous_secret_hash = $1 AND previous_secret_expires_at > now()
    LIMIT 1`,
};

/** Finds whom credentials belong to. */
@Injectable()
export class CredentialsRepository {
  private readonly keyHolders: GatheredLookup<KeyHolder>;
  private readonly externalKeyHolders: GatheredLookup<KeyHolder>;

  constructor(private readonly statements: Statements) {
    this.keyHolders = new GatheredLookup((hashes) => this.findHolders(KEY_HOLDER, KEY_HOLDERS, hashes));
    this.externalKeyHolders = new GatheredLookup((hashes) =>
      this.findHolders(EXTERNAL_KEY_HOLDER, EXTERNAL_KEY_HOLDERS, hashes),
    );
  }

  async keyHolder(hash: Buffer): Promise<KeyHolder | undefined> {
    return this.keyHolders.get(hash);
  }

  /** @param hash of a secret that a partner brought */
  async externalKeyHolder(hash: Buffer): Promise<KeyHolder | undefined> {
    return this.externalKeyHolders.get(hash);
  }

  async clientHolder(secretHash: Buffer): Promise<ClientHolder | undefined> {
    return this.statements.first(CLIENT_HOLDER, [secretHash]);
  }

  private async findHolders(
    ofOne: Statement,
    ofSeveral: Statement,
    hashes: readonly Buffer[],
  ): Promise<(KeyHolder | undefined)[]> {
    // PostgreSQL plans a list anew each time, so the usual case is better off without one.
    if (hashes.length === 1) return [await this.statements.first<KeyHolder>(ofOne, hashes)];
    const rows = await this.statements.rows<KeyHolder | Absent>(ofSeveral, [hashes]);
    return rows.map((row) => (row.id === null ? undefined : row));
  }
}

/** @param conditions are tried from the first on */
function holderOf(conditions: readonly HashCondition[], hash: string): string {
  const fields = `id, kind, organization_id, user_id, workspace_id, disabled,
    coalesce(expires_at <= now(), false) AS expired`;
  const selects = conditions.map((condition) => `SELECT ${fields} FROM api_keys WHERE ${condition(hash)}`);
  return `${selects.join('\n    UNION ALL\n    ')}
    LIMIT 1`;
}

function holdersOf(conditions: readonly HashCondition[]): string {
  return `SELECT holder.* FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (hash, position)
    LEFT JOIN LATERAL (${holderOf(conditions, 'asked.hash')}) AS holder ON true
    ORDER BY position`;
}
