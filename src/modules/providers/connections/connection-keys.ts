import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { Cipher } from '../../encryption/cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../../encryption/encrypted-tables.js';
import { ConnectionsRepository } from './connections.repository.js';
import type { ProviderConnectionEntity } from '../entities/provider-connection.entity.js';
import type { StoredConnection } from './merged-connection.js';

/** What a credential is bound to: with another address it cannot be decrypted. */
type ConnectionAddress = Pick<ProviderConnectionEntity, 'provider' | 'protocol' | 'baseUrl' | 'address' | 'credential'>;

type EncryptedKey = ConnectionAddress & EncryptedRow;

/** The credentials of connections, encrypted at rest and bound to the provider and its address. */
@Injectable()
export class ConnectionKeys implements EncryptedTable<EncryptedKey>, OnModuleInit {
  readonly name = 'provider connections';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: ConnectionsRepository,
    private readonly cipher: Cipher,
    private readonly logger: ServiceLogger,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  /** @returns null for no credential */
  encrypted(address: ConnectionAddress, apiKey: string | null): Buffer | null {
    return apiKey === null ? null : this.cipher.seal(dataOf(address), apiKey);
  }

  /** A stored connection with its credential. One that cannot be decrypted is logged and left out. */
  readable({ encryptedApiKey, ...row }: ProviderConnectionEntity): StoredConnection {
    if (encryptedApiKey === null) return { ...row, apiKey: null };
    try {
      return { ...row, apiKey: this.decrypted(row, encryptedApiKey) };
    } catch (error) {
      this.logger.warn(`the credential of provider ${row.provider} cannot be read: ${(error as Error).message}`);
      return { ...row, apiKey: undefined };
    }
  }

  async *rows(): AsyncGenerator<EncryptedKey> {
    for (const connection of await this.repository.all()) {
      const { provider, protocol, baseUrl, address, credential, encryptedApiKey: bytes } = connection;
      if (bytes !== null) yield { id: provider, provider, protocol, baseUrl, address, credential, bytes };
    }
  }

  reEncrypted(row: EncryptedKey): Buffer {
    return this.cipher.seal(dataOf(row), this.decrypted(row, row.bytes));
  }

  async replace({ provider, bytes }: EncryptedKey, replacement: Buffer): Promise<boolean> {
    return this.repository.replaceKey(provider, bytes, replacement);
  }

  /** @throws Error when no key fits, or the row is not the one that it was encrypted for */
  private decrypted(address: ConnectionAddress, bytes: Buffer): string {
    return this.cipher.open(dataOf(address), bytes) as string;
  }
}

function dataOf({ provider, protocol, baseUrl, address, credential }: ConnectionAddress): readonly string[] {
  const simple = ['provider_connection', provider, protocol, baseUrl];
  if (address === null && credential === null) return simple;
  // PostgreSQL gives the fields of a document in an order of its own.
  const fields = (value: object | null): unknown => value && Object.entries(value).sort();
  return [...simple, JSON.stringify([fields(address), fields(credential)])];
}
