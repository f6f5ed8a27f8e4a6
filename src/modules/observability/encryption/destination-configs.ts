import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../../encryption/encrypted-tables.js';
import { ObservabilityRepository, type StoredConfig } from '../observability.repository.js';
import { ConfigCipher } from './config-cipher.js';
import { StoredConfigs } from './stored-configs.js';

type EncryptedConfig = StoredConfig & EncryptedRow;

/** The configurations of destinations, among what is encrypted with the keys of the deployment. */
@Injectable()
export class DestinationConfigs implements EncryptedTable<EncryptedConfig>, OnModuleInit {
  readonly name = 'destinations';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: ObservabilityRepository,
    private readonly cipher: ConfigCipher,
    private readonly configs: StoredConfigs,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  async *rows(): AsyncGenerator<EncryptedConfig> {
    for await (const stored of this.repository.allConfigs()) yield { ...stored, bytes: stored.encryptedConfig };
  }

  reEncrypted(row: EncryptedConfig, readsUnbound: boolean): Buffer {
    return this.cipher.encrypt(row, this.configs.decrypted(row, readsUnbound));
  }

  async replace(row: EncryptedConfig, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceConfig(row, bytes);
  }
}
