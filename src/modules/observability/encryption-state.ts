import { Injectable } from '@nestjs/common';
import { ServiceLogger } from '../../http/logging/service-logger.js';
import { ConfigCipher } from './config-cipher.js';
import { EncryptionStateRepository } from './encryption-state.repository.js';
import { ObservabilityRepository } from './observability.repository.js';

/** What the record belongs to, so that no other encrypted value can stand in its place. */
const DATA = ['encryption_state'];

/** What is said to the operator. It names no key. */
const MISMATCH = 'no key of ENCRYPTION_KEY is the one that the destinations of this database are encrypted with';

/** The process has none of the keys of its database. */
export class EncryptionKeyMismatch extends Error {
  constructor() {
    super(MISMATCH);
  }
}

/** Whether a key of this process is one of the database's, and if so which formats are read. */
export type KeyCheck =
  | { readonly fits: false }
  | {
      readonly fits: true;
      /** Whether configurations in the format of earlier releases are read, until `rotate-encryption` has rewritten them. */
      readonly readsUnbound: boolean;
    };

/**
 * Compares the keys of this process with those of the database. The first process that asks leaves a record, encrypted with
 * its first key; whoever cannot decrypt it has another key. The record also says whether configurations in the format of
 * earlier releases are read: in a database that has some when the record is made, and no longer than until the first
 * `rotate-encryption`. Without the key nobody can make a record that says otherwise.
 */
@Injectable()
export class EncryptionState {
  private isReported = false;

  constructor(
    private readonly repository: EncryptionStateRepository,
    private readonly destinations: ObservabilityRepository,
    private readonly cipher: ConfigCipher,
    private readonly logger: ServiceLogger,
  ) {}

  /** Compares the keys as they are now: another process may have rotated them. A mismatch is logged when it begins. */
  async check(): Promise<KeyCheck> {
    const sealed = (await this.repository.sealed()) ?? (await this.begin());
    const result = sealed === undefined ? { fits: false as const } : this.read(sealed);
    if (!result.fits && !this.isReported) this.logger.error(MISMATCH);
    this.isReported = !result.fits;
    return result;
  }

  /** @throws EncryptionKeyMismatch */
  async assertFits(): Promise<void> {
    if (!(await this.check()).fits) throw new EncryptionKeyMismatch();
  }

  /** Puts the record under the first key, and ends the reading of the format of earlier releases. */
  async renew(): Promise<void> {
    const sealed = await this.repository.sealed();
    const known = sealed === undefined ? undefined : this.read(sealed);
    if (sealed !== undefined && known?.fits && !known.readsUnbound && this.cipher.isCurrent(sealed)) return;
    await this.repository.replace(this.sealed(false));
  }

  /**
   * Leaves the first record. Of configurations that are there already the keys must fit half at least: some may be under a key that
   * was lost, or under that of a process that was configured wrongly.
   *
   * @returns undefined where the keys do not fit
   */
  private async begin(): Promise<Buffer | undefined> {
    let [configs, fitting, areUnbound] = [0, 0, true];
    for await (const { encryptedConfig } of this.destinations.allConfigs()) {
      configs += 1;
      if (this.cipher.hasKeyOf(encryptedConfig)) fitting += 1;
      areUnbound &&= this.cipher.isUnbound(encryptedConfig);
    }
    if (configs > 0 && fitting * 2 < configs) return undefined;
    // A database that has configurations of the present format has had a record before, and was upgraded before.
    await this.repository.insert(this.sealed(configs > 0 && areUnbound));
    return this.repository.sealed();
  }

  private sealed(readsUnbound: boolean): Buffer {
    return this.cipher.seal(DATA, { reads_unbound: readsUnbound });
  }

  private read(sealed: Buffer): KeyCheck {
    try {
      const record = this.cipher.open(DATA, sealed) as { readonly reads_unbound: boolean };
      return { fits: true, readsUnbound: record.reads_unbound };
    } catch {
      // Whatever is wrong with it: what this process encrypts, no other one might decrypt.
      return { fits: false };
    }
  }
}
