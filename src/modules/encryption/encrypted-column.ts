import type { OnModuleInit } from '@nestjs/common';
import type { Cipher } from './cipher.js';
import type { EncryptedRow, EncryptedTable, EncryptedTables } from './encrypted-tables.js';

/**
 * A column of secrets, each encrypted for its row: one that is put into another row, or whose row changes in what the secret is bound to,
 * cannot be decrypted.
 */
export abstract class EncryptedColumn<
  Column extends string,
  Binding,
  Row extends Binding & { readonly id: string } & Readonly<Record<Column, Buffer>>,
  Secret,
>
  implements EncryptedTable<Row & EncryptedRow>, OnModuleInit
{
  abstract readonly name: string;

  /** The property of a row that has the encrypted secret. */
  protected abstract readonly column: Column;

  constructor(
    private readonly tables: EncryptedTables,
    private readonly cipher: Cipher,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  abstract replace(row: Row & EncryptedRow, bytes: Buffer): Promise<boolean>;

  /** Every row with a secret, of all organizations, read in batches while it goes on. */
  protected abstract stored(): AsyncIterable<Row>;

  /** What a secret is bound to: first a name that no other column has. */
  protected abstract boundTo(row: Binding): readonly string[];

  encrypted(row: Binding, secret: Secret): Buffer {
    return this.cipher.seal(this.boundTo(row), secret);
  }

  /** @throws Error when no key fits, or the row is not the one that the secret was encrypted for */
  decrypted(row: Binding & Readonly<Record<Column, Buffer>>): Secret {
    return this.cipher.open(this.boundTo(row), row[this.column]) as Secret;
  }

  async *rows(): AsyncGenerator<Row & EncryptedRow> {
    for await (const row of this.stored()) yield { ...row, bytes: row[this.column] };
  }

  reEncrypted(row: Row & EncryptedRow): Buffer {
    return this.encrypted(row, this.decrypted(row));
  }
}
