import { Injectable } from '@nestjs/common';
import { ConfigCipher } from './config-cipher.js';
import { EncryptionKeyMismatch, EncryptionState } from './encryption-state.js';
import { ObservabilityRepository, type StoredConfig } from './observability.repository.js';
import { StoredConfigs } from './stored-configs.js';

/** How to rotate. */
export interface RotationOptions {
  /** Find out what there is to do, and change nothing. */
  readonly dryRun: boolean;
  /** Go on where no key is the database's, because that key is lost: the first key is the database's from then on. */
  readonly replaceLostKey: boolean;
}

/** What a rotation has found and done. */
export interface RotationReport {
  readonly destinations: number;
  /** How many another key, or an earlier release, had encrypted, and the first key has now. */
  readonly reEncrypted: number;
  /** The ids of those that cannot be decrypted. */
  readonly unreadable: readonly string[];
}

/**
 * Brings every stored configuration under the first encryption key, so that the others can be taken away, and into the
 * present format. After the first rotation nothing in the format of earlier releases is read any more.
 */
@Injectable()
export class ConfigRotationService {
  constructor(
    private readonly repository: ObservabilityRepository,
    private readonly cipher: ConfigCipher,
    private readonly configs: StoredConfigs,
    private readonly state: EncryptionState,
  ) {}

  /**
   * Each configuration is a transaction of its own, and one that changes meanwhile keeps its change: stopping in between
   * loses nothing, and the next run goes on with what is left.
   *
   * @throws EncryptionKeyMismatch when none of the keys is the database's, unless the lost key is to be replaced
   */
  async rotate({ dryRun, replaceLostKey }: RotationOptions): Promise<RotationReport> {
    const check = await this.state.check();
    if (!check.fits && !replaceLostKey) throw new EncryptionKeyMismatch();
    const report = await this.reEncryptAll(dryRun, check.fits && check.readsUnbound);
    if (!dryRun) await this.state.renew();
    return report;
  }

  private async reEncryptAll(dryRun: boolean, readsUnbound: boolean): Promise<RotationReport> {
    const unreadable = new Set<string>();
    let reEncrypted = 0;
    let destinations: number;
    let overtaken: number;
    do {
      destinations = 0;
      overtaken = 0;
      for await (const stored of this.repository.allConfigs()) {
        destinations += 1;
        const replacement = this.reEncrypted(stored, readsUnbound);
        if (replacement === undefined) unreadable.add(stored.id);
        else if (this.cipher.isCurrent(stored.encryptedConfig)) continue;
        else if (dryRun || (await this.repository.replaceConfig(stored, replacement))) reEncrypted += 1;
        else overtaken += 1;
      }
      // What has changed meanwhile may have been encrypted by a replica that does not know the first key as the first yet.
    } while (overtaken > 0);
    return { destinations, reEncrypted, unreadable: [...unreadable] };
  }

  private reEncrypted(stored: StoredConfig, readsUnbound: boolean): Buffer | undefined {
    try {
      return this.cipher.encrypt(stored, this.configs.decrypted(stored, readsUnbound));
    } catch {
      // Reported by its id, whatever is wrong with it.
      return undefined;
    }
  }
}
