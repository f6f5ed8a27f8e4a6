import { Injectable } from '@nestjs/common';
import { GatheredLookup } from '../../database/gathered-lookup.js';
import { Statements } from '../../database/statements.js';
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

/** The holder of a key. */
export const KEY_HOLDER = {
  name: 'key_holder',
  text: holderOf('$1'),
};

/** The holders of several keys, as many as there are hashes and in their order. */
export const KEY_HOLDERS = {
  name: 'key_holders',
  text: `SELECT holder.* FROM unnest($1::bytea[]) WITH ORDINALITY AS asked (hash, position)
    LEFT JOIN LATERAL (${holderOf('asked.hash')}) AS holder ON true
    ORDER BY position`,
};

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

  constructor(private readonly statements: Statements) {
    this.keyHolders = new GatheredLookup((hashes) => this.findHolders(hashes));
  }

  async keyHolder(hash: Buffer): Promise<KeyHolder | undefined> {
    return this.keyHolders.get(hash);
  }

  async clientHolder(secretHash: Buffer): Promise<ClientHolder | undefined> {
    return this.statements.first(CLIENT_HOLDER, [secretHash]);
  }

  private async findHolders(hashes: readonly Buffer[]): Promise<(KeyHolder | undefined)[]> {
    // PostgreSQL plans a list anew each time, so the usual case is better off without one.
    if (hashes.length === 1) return [await this.statements.first<KeyHolder>(KEY_HOLDER, hashes)];
    const rows = await this.statements.rows<KeyHolder | Absent>(KEY_HOLDERS, [hashes]);
    return rows.map((row) => (row.id === null ? undefined : row));
  }
}

function holderOf(hash: string): string {
  const fields = `id, kind, organization_id, user_id, workspace_id, disabled,
    coalesce(expires_at <= now(), false) AS expired`;
  return `SELECT ${fields} FROM api_keys WHERE hash = ${hash}
    UNION ALL
    SELECT ${fields} FROM api_keys WHERE previous_hash = ${hash} AND previous_hash_expires_at > now()
    LIMIT 1`;
}
