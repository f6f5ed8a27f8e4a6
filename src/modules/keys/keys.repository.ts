import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Statements } from '../../database/statements.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { ConnectClientEntity } from './entities/connect-client.entity.js';
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

/** What a client secret's row says of its client. */
export interface ClientHolder {
  readonly id: string;
  readonly organization_id: string;
}

// These two run ahead of every operation. They are not cached: a deleted key is refused by every replica at once.

/** The holder of a key. */
export const KEY_HOLDER = {
  name: 'key_holder',
  text: `SELECT id, kind, organization_id, user_id, workspace_id, disabled, coalesce(expires_at <= now(), false) AS expired
    FROM api_keys WHERE hash = $1`,
};

/** The client of a secret. */
export const CLIENT_HOLDER = {
  name: 'client_holder',
  text: 'SELECT id, organization_id FROM connect_clients WHERE secret_hash = $1',
};

/** The client that registered a callback URL; the oldest, should several have. */
export const CLIENT_OF_CALLBACK = {
  name: 'client_of_callback',
  text: `SELECT id FROM connect_clients WHERE organization_id = $1 AND $2 = ANY (callback_urls)
    ORDER BY created_at, id LIMIT 1`,
};

/** Deletes a key, of one client only where $3 names it. */
export const DELETE_KEY = {
  name: 'key_delete',
  text: 'DELETE FROM api_keys WHERE organization_id = $1 AND hash = $2 AND ($3::uuid IS NULL OR connect_client_id = $3)',
};

/** Disables a key. */
const DISABLE_KEY = {
  name: 'key_disable',
  text: 'UPDATE api_keys SET disabled = true, updated_at = $3 WHERE organization_id = $1 AND id = $2 AND NOT disabled',
};

/** The rows of keys and Connect clients. */
@Injectable()
export class KeysRepository {
  constructor(private readonly statements: Statements) {}

  async keyHolder(hash: Buffer): Promise<KeyHolder | undefined> {
    return this.statements.first(KEY_HOLDER, [hash]);
  }

  async clientHolder(secretHash: Buffer): Promise<ClientHolder | undefined> {
    return this.statements.first(CLIENT_HOLDER, [secretHash]);
  }

  async insertKey(manager: EntityManager, key: ApiKeyEntity): Promise<void> {
    await manager.insert(ApiKeyEntity, key);
  }

  async insertClient(manager: EntityManager, client: ConnectClientEntity): Promise<void> {
    await manager.insert(ConnectClientEntity, client);
  }

  async clientIdOfCallback(organizationId: string, callbackUrl: string): Promise<string | undefined> {
    return (await this.statements.first<{ id: string }>(CLIENT_OF_CALLBACK, [organizationId, callbackUrl]))?.id;
  }

  /**
   * @param connectClientId reach only the keys that this client created
   * @returns whether there was such a key
   */
  async deleteKey(organizationId: string, hash: Buffer, connectClientId?: string): Promise<boolean> {
    return (await this.statements.write(DELETE_KEY, [organizationId, hash, connectClientId ?? null])) === 1;
  }

  async disableKey(organizationId: string, id: string): Promise<void> {
    await this.statements.write(DISABLE_KEY, [organizationId, id, new Date()]);
  }
}
