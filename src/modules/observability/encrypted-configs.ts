import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { Cipher, UNBOUND_FORMAT } from '../encryption/cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../encryption/encrypted-tables.js';
import { EncryptionState } from '../encryption/encryption-state.js';
import type { DestinationConfig } from './config-mask.js';
import { ObservabilityRepository, type StoredConfig } from './observability.repository.js';

/** The row of a configuration, which is authenticated with it and needed to decrypt it. */
export interface ConfigBinding {
  readonly organizationId: string;
  readonly workspaceId: string;
  readonly id: string;
  /** The type of the destination, which says which settings are credentials. */
  readonly type: string;
}

/**
 * Encrypts the configurations of destinations at rest. Organization, workspace, id and type of the destination are
 * authenticated along with it, so that a configuration cannot be decrypted in another row, or after its row was moved to
 * another organization, workspace or type.
 */
@Injectable()
export class ConfigCipher extends Cipher {
  encrypt(owner: ConfigBinding, config: DestinationConfig): Buffer {
    return this.seal(dataOf(owner), config);
  }

  /**
   * Decrypts a configuration of the present format.
   *
   * @throws Error when no key fits, or the bytes or the owner are not those that were encrypted
   */
  decrypt(owner: ConfigBinding, bytes: Buffer): DestinationConfig {
    return this.open(dataOf(owner), bytes) as DestinationConfig;
  }

  /**
   * Decrypts a configuration of the format of earlier releases.
   *
   * @param id the id of the destination
   * @throws Error as `decrypt` does
   */
  decryptUnbound(id: string, bytes: Buffer): DestinationConfig {
    return this.decryptAs(UNBOUND_FORMAT, Buffer.from(id), bytes) as DestinationConfig;
  }
}

type EncryptedConfig = StoredConfig & EncryptedRow;

/** The configurations of destinations as they are stored. One that cannot be decrypted does not fail the others. */
@Injectable()
export class EncryptedConfigs implements EncryptedTable<EncryptedConfig>, OnModuleInit {
  readonly name = 'destinations';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: ObservabilityRepository,
    private readonly cipher: ConfigCipher,
    private readonly state: EncryptionState,
    private readonly logger: ServiceLogger,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  /** @returns undefined when it cannot be decrypted, which is logged with the id of the destination */
  async of(row: StoredConfig): Promise<DestinationConfig | undefined> {
    return (await this.ofAll([row]))[0];
  }

  /** The configurations of several rows, in their order. */
  async ofAll(rows: readonly StoredConfig[]): Promise<(DestinationConfig | undefined)[]> {
    const hasUnbound = rows.some(({ encryptedConfig }) => this.cipher.isUnbound(encryptedConfig));
    const check = hasUnbound ? await this.state.check() : undefined;
    const readsUnbound = check?.fits === true && check.readsUnbound;
    return rows.map((row) => {
      try {
        return this.decrypted(row, readsUnbound);
      } catch (error) {
        this.logger.warn(`the configuration of destination ${row.id} cannot be read: ${(error as Error).message}`);
        return undefined;
      }
    });
  }

  async *rows(): AsyncGenerator<EncryptedConfig> {
    for await (const stored of this.repository.allConfigs()) yield { ...stored, bytes: stored.encryptedConfig };
  }

  /** @param readsUnbound whether the format of earlier releases is read */
  reEncrypted(row: EncryptedConfig, readsUnbound: boolean): Buffer {
    return this.cipher.encrypt(row, this.decrypted(row, readsUnbound));
  }

  async replace(row: EncryptedConfig, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceConfig(row, bytes);
  }

  /** @throws Error when it cannot be decrypted */
  private decrypted(row: StoredConfig, readsUnbound: boolean): DestinationConfig {
    return readsUnbound && this.cipher.isUnbound(row.encryptedConfig)
      ? this.cipher.decryptUnbound(row.id, row.encryptedConfig)
      : this.cipher.decrypt(row, row.encryptedConfig);
  }
}

function dataOf({ organizationId, workspaceId, id, type }: ConfigBinding): readonly string[] {
  return ['observability_destination', organizationId, workspaceId, id, type];
}
