import { Injectable } from '@nestjs/common';

/** An encrypted value of a row. */
export interface EncryptedRow {
  /** What an operator is told when it cannot be decrypted. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** A table with encrypted values, which its module registers so that they follow the keys of the deployment. */
export interface EncryptedTable<Row extends EncryptedRow = EncryptedRow> {
  /** What its rows are called, in the plural: `destinations`. */
  readonly name: string;

  /** Every encrypted value of the deployment, read in batches while it goes on. */
  rows(): AsyncIterable<Row>;

  /**
   * The value under the first key and in the present format.
   *
   * @param readsUnbound whether the format of earlier releases is read
   * @throws Error when it cannot be decrypted
   */
  reEncrypted(row: Row, readsUnbound: boolean): Buffer;

  /** Replaces a value, unless it has changed since it was read. @returns whether it has been replaced */
  replace(row: Row, bytes: Buffer): Promise<boolean>;
}

/** The tables with encrypted values. */
@Injectable()
export class EncryptedTables {
  private readonly registered: EncryptedTable[] = [];

  register(table: EncryptedTable): void {
    this.registered.push(table);
  }

  /** In the order of their names: that of their registration depends on the order of modules. */
  all(): readonly EncryptedTable[] {
    return this.registered.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }
}
