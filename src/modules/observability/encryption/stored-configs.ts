import { Injectable } from '@nestjs/common';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import { ConfigCipher, type ConfigOwner } from './config-cipher.js';
import type { DestinationConfig } from '../credential-mask.js';
import { EncryptionState } from '../../encryption/encryption-state.js';

/** A destination's row, as far as its configuration goes. */
export interface ConfiguredRow extends ConfigOwner {
  readonly encryptedConfig: Buffer;
}

/** Reads configurations as they are stored. One that cannot be decrypted does not fail the others. */
@Injectable()
export class StoredConfigs {
  constructor(
    private readonly cipher: ConfigCipher,
    private readonly state: EncryptionState,
    private readonly logger: ServiceLogger,
  ) {}

  /** @returns undefined when it cannot be decrypted, which is logged with the id of the destination */
  async of(row: ConfiguredRow): Promise<DestinationConfig | undefined> {
    return (await this.ofAll([row]))[0];
  }

  /** The configurations of several rows, in their order. */
  async ofAll(rows: readonly ConfiguredRow[]): Promise<(DestinationConfig | undefined)[]> {
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

  /**
   * @param readsUnbound whether the format of earlier releases is read
   * @throws Error when it cannot be decrypted
   */
  decrypted(row: ConfiguredRow, readsUnbound: boolean): DestinationConfig {
    return readsUnbound && this.cipher.isUnbound(row.encryptedConfig)
      ? this.cipher.decryptUnbound(row.id, row.encryptedConfig)
      : this.cipher.decrypt(row, row.encryptedConfig);
  }
}
