import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { rowInsert } from '../../../persistence/insert-statement.js';
import { type BoundValues, statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { ProviderConnectionEntity } from '../entities/provider-connection.entity.js';

/** Which edition of the connections is in force. The gateway reads it within a statement of its own. */
export const CONNECTION_EDITION = statement<{ edition: string }>(
  'provider_connection_edition',
  'SELECT edition FROM provider_connection_edition',
);

/** All connections, in the order of their providers. */
export const CONNECTIONS = statement<ProviderConnectionEntity>(
  'provider_connections',
  `SELECT ${columnsOf(ProviderConnectionEntity, 'c')} FROM provider_connections c ORDER BY c.provider`,
);

export const CONNECTION_BY_PROVIDER = statement<ProviderConnectionEntity, [provider: string]>(
  'provider_connection_by_provider',
  `SELECT ${columnsOf(ProviderConnectionEntity, 'c')} FROM provider_connections c WHERE c.provider = $1`,
);

const INSERT = rowInsert(ProviderConnectionEntity, { updatedAt: 'now()' });

/** Connects a provider, in place of the connection that it may have. */
export const REPLACE_CONNECTION = statement<never, BoundValues<Omit<ProviderConnectionEntity, 'updatedAt'>>>(
  'provider_connection_replace',
  `${INSERT.into} VALUES (${INSERT.parameters})
    ON CONFLICT (provider) DO UPDATE SET protocol = excluded.protocol, base_url = excluded.base_url,
      preset = excluded.preset, address = excluded.address, credential = excluded.credential,
      encrypted_api_key = excluded.encrypted_api_key, timeouts = excluded.timeouts, models = excluded.models,
      capabilities = excluded.capabilities, is_from_interface = excluded.is_from_interface,
      updated_at = excluded.updated_at`,
);

/** Disconnects a provider. */
export const DELETE_CONNECTION = statement<never, [provider: string]>(
  'provider_connection_delete',
  'DELETE FROM provider_connections WHERE provider = $1',
);

/** Replaces an encrypted API key, unless the connection has changed since it was read. */
export const REPLACE_CONNECTION_KEY = statement<never, [provider: string, known: Buffer, replacement: Buffer]>(
  'provider_connection_key_replace',
  'UPDATE provider_connections SET encrypted_api_key = $3 WHERE provider = $1 AND encrypted_api_key = $2',
);

/** The rows of the deployment's connections to providers. */
@Injectable()
export class ConnectionsRepository {
  constructor(private readonly statements: Statements) {}

  /** The current edition of the connections; every change of a row creates a new one. */
  async edition(): Promise<string> {
    return (await this.statements.first(CONNECTION_EDITION, []))!.edition;
  }

  async all(): Promise<ProviderConnectionEntity[]> {
    return this.statements.rows(CONNECTIONS, []);
  }

  async find(provider: string): Promise<ProviderConnectionEntity | undefined> {
    return this.statements.first(CONNECTION_BY_PROVIDER, [provider]);
  }

  /** Stores a connection in place of the one that the provider may have. */
  async replace(tx: Transaction, connection: Omit<ProviderConnectionEntity, 'updatedAt'>): Promise<void> {
    await tx.write(REPLACE_CONNECTION, INSERT.values(connection));
  }

  /** @returns whether there was one */
  async delete(tx: Transaction, provider: string): Promise<boolean> {
    return (await tx.write(DELETE_CONNECTION, [provider])) > 0;
  }

  /** Replaces an encrypted credential, unless it has changed since it was read. @returns whether it has been replaced */
  async replaceKey(provider: string, known: Buffer, replacement: Buffer): Promise<boolean> {
    return (await this.statements.write(REPLACE_CONNECTION_KEY, [provider, known, replacement])) === 1;
  }
}
