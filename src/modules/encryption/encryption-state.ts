import { Injectable } from '@nestjs/common';
import { ServiceLogger } from '../../telemetry/logging/service-logger.js';
import { Cipher } from './cipher.js';
import { EncryptedTables } from './encrypted-tables.js';
import { EncryptionStateRepository } from './encryption-state.repository.js';

/** Additional authenticated data of the record, so that no other encrypted value can replace it. */
const DATA = ['encryption_state'];

/** The message for the operator. It contains no key. */
const MISMATCH = 'no key of ENCRYPTION_KEY is the one that the credentials of this database are encrypted with';

/** None of the keys of this process is the key of its database. */
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
 * Compares the keys of this process with those of the database. The first process creates a record, encrypted with its first
 * key; a process that cannot decrypt it has another key. The record also says whether configurations in the format of
 * earlier releases are read: in a database that has some when the record is created, and no longer than until the first
 * `rotate-encryption`. A changed record would need the key.
 */
@Injectable()
export class EncryptionState {
  private isReported = false;

  constructor(
    private readonly repository: EncryptionStateRepository,
    private readonly tables: EncryptedTables,
    private readonly cipher: Cipher,
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

  /** Re-encrypts the record with the first key, and stops reading the format of earlier releases. */
  async renew(): Promise<void> {
    const sealed = await this.repository.sealed();
    const known = sealed === undefined ? undefined : this.read(sealed);
    if (sealed !== undefined && known?.fits && !known.readsUnbound && this.cipher.isCurrent(sealed)) return;
    await this.repository.replace(this.sealed(false));
  }

  /**
   * Creates the first record. The keys must match at least half of the existing encrypted values: some may be encrypted with a
   * lost key, or with the key of a misconfigured process.
   *
   * @returns undefined where the keys do not fit
   */
  private async begin(): Promise<Buffer | undefined> {
    let [values, fitting, areUnbound] = [0, 0, true];
    for (const table of this.tables.all()) {
      for await (const { bytes } of table.rows()) {
        values += 1;
        if (this.cipher.hasKeyOf(bytes)) fitting += 1;
        areUnbound &&= this.cipher.isUnbound(bytes);
      }
    }
    if (values > 0 && fitting * 2 < values) return undefined;
    // A database that has values of the present format has had a record before, and was upgraded before.
    await this.repository.insert(this.sealed(values > 0 && areUnbound));
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
      // Whatever the error is: other processes may be unable to decrypt what this process encrypts.
      return { fits: false };
    }
  }
}
