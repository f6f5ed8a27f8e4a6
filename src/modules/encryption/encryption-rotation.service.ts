import { Injectable } from '@nestjs/common';
import { created } from '../audit/audited-event.js';
import { DeploymentTrail } from '../audit/deployment-trail.service.js';
import { Cipher } from './cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from './encrypted-tables.js';
import { EncryptionKeyMismatch, EncryptionState } from './encryption-state.js';

/** How to rotate. */
export interface RotationOptions {
  /** Only report, and change nothing. */
  readonly dryRun: boolean;
  /**
   * Continue although no key matches the database, because that key is lost; from then on the first key is the
   * database's.
   */
  readonly replaceLostKey: boolean;
}

/** The result of a rotation for one table. */
export interface RotatedTable {
  /** What its rows are called, in the plural. */
  readonly name: string;
  readonly values: number;
  /** How many of them were re-encrypted with the first key. */
  readonly reEncrypted: number;
  /** The ids of rows whose value cannot be decrypted. */
  readonly unreadable: readonly string[];
}

/**
 * Re-encrypts every encrypted value with the first key, so that the other keys can be removed, and in the current format. After
 * the first rotation nothing in the format of earlier releases is read any more.
 */
@Injectable()
export class EncryptionRotationService {
  constructor(
    private readonly tables: EncryptedTables,
    private readonly cipher: Cipher,
    private readonly state: EncryptionState,
    private readonly trail: DeploymentTrail,
  ) {}

  /**
   * Each value has its own transaction, and concurrent changes are kept. An interrupted run loses nothing; the next run
   * continues.
   *
   * @throws EncryptionKeyMismatch when none of the keys is the database's, unless the lost key is to be replaced
   */
  async rotate({ dryRun, replaceLostKey }: RotationOptions): Promise<readonly RotatedTable[]> {
    const check = await this.state.check();
    if (!check.fits && !replaceLostKey) throw new EncryptionKeyMismatch();
    if (!dryRun) {
      const changes = created({ replaces_lost_key: !check.fits });
      await this.trail.announce({ action: 'encryption.rotate', changes });
    }
    const report: RotatedTable[] = [];
    for (const table of this.tables.all()) {
      report.push(await this.reEncryptAll(table, dryRun, check.fits && check.readsUnbound));
    }
    if (!dryRun) await this.state.renew();
    return report;
  }

  private async reEncryptAll(table: EncryptedTable, dryRun: boolean, readsUnbound: boolean): Promise<RotatedTable> {
    const unreadable = new Set<string>();
    let reEncrypted = 0;
    let values: number;
    let overtaken: number;
    do {
      values = 0;
      overtaken = 0;
      for await (const row of table.rows()) {
        values += 1;
        const replacement = reEncryptedOrUnreadable(table, row, readsUnbound);
        if (replacement === undefined) unreadable.add(row.id);
        else if (this.cipher.isCurrent(row.bytes)) continue;
        else if (dryRun || (await table.replace(row, replacement))) reEncrypted += 1;
        else overtaken += 1;
      }
      // Values that changed meanwhile may have been encrypted by a replica that does not use the first key as the first yet.
    } while (overtaken > 0);
    return { name: table.name, values, reEncrypted, unreadable: [...unreadable] };
  }
}

/** @returns undefined for a value that cannot be decrypted */
function reEncryptedOrUnreadable(table: EncryptedTable, row: EncryptedRow, readsUnbound: boolean): Buffer | undefined {
  try {
    return table.reEncrypted(row, readsUnbound);
  } catch {
    // Its id is reported, whatever the error is.
    return undefined;
  }
}
