import { Injectable } from '@nestjs/common';
import { ConfigCipher } from './config-cipher.js';
import { ObservabilityRepository, type StoredConfig } from './observability.repository.js';

/** How many configurations are read at once. */
const BATCH_SIZE = 100;

/** What a rotation has found and done. */
export interface RotationReport {
  readonly destinations: number;
  /** How many another key had encrypted, and the first key has now. */
  readonly reEncrypted: number;
  /** The ids of those that no key fits. */
  readonly unreadable: readonly string[];
}

/** Brings every stored configuration under the first encryption key, so that the others can be taken away. */
@Injectable()
export class ConfigRotationService {
  constructor(
    private readonly repository: ObservabilityRepository,
    private readonly cipher: ConfigCipher,
  ) {}

  /**
   * Each configuration is a transaction of its own, and one that changes meanwhile keeps its change: stopping in between
   * loses nothing, and the next run goes on with what is left.
   *
   * @param dryRun find out what there is to do, and change nothing
   */
  async rotate(dryRun: boolean): Promise<RotationReport> {
    const unreadable = new Set<string>();
    let reEncrypted = 0;
    let destinations: number;
    let overtaken: number;
    do {
      destinations = 0;
      overtaken = 0;
      for await (const stored of this.configs()) {
        destinations += 1;
        if (this.cipher.isCurrent(stored.encrypted_config)) continue;
        const replacement = this.reEncrypted(stored);
        if (replacement === undefined) unreadable.add(stored.id);
        else if (dryRun || (await this.repository.replaceConfig(stored, replacement))) reEncrypted += 1;
        else overtaken += 1;
      }
      // What has changed meanwhile may have been encrypted by a replica that does not know the first key as the first yet.
    } while (overtaken > 0);
    return { destinations, reEncrypted, unreadable: [...unreadable] };
  }

  private async *configs(): AsyncGenerator<StoredConfig> {
    let after: string | undefined;
    do {
      const batch = await this.repository.configsAfter(after, BATCH_SIZE);
      yield* batch;
      after = batch.at(-1)?.id;
    } while (after !== undefined);
  }

  private reEncrypted({ id, encrypted_config: bytes }: StoredConfig): Buffer | undefined {
    try {
      return this.cipher.encrypt(id, this.cipher.decrypt(id, bytes));
    } catch {
      // Told by its id, whatever is wrong with it.
      return undefined;
    }
  }
}
