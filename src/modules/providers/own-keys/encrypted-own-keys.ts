import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cipher } from '../../encryption/cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../../encryption/encrypted-tables.js';
import { OwnKeysRepository, type StoredKey } from './own-keys.repository.js';

/** What a provider key is bound to: in another row it cannot be decrypted. */
export type KeyBinding = Omit<StoredKey, 'encryptedKey'>;

type EncryptedKey = StoredKey & EncryptedRow;

/** The organizations' own keys, encrypted at rest and bound to organization, workspace, provider and id. */
@Injectable()
export class EncryptedOwnKeys implements EncryptedTable<EncryptedKey>, OnModuleInit {
  readonly name = 'provider keys';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: OwnKeysRepository,
    private readonly cipher: Cipher,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  encrypted(owner: KeyBinding, key: string): Buffer {
    return this.cipher.seal(dataOf(owner), key);
  }

  /** @throws Error when no key fits, or the row is not the one that it was encrypted for */
  decrypted(stored: StoredKey): string {
    return this.cipher.open(dataOf(stored), stored.encryptedKey) as string;
  }

  async *rows(): AsyncGenerator<EncryptedKey> {
    for await (const stored of this.repository.everyKey()) yield { ...stored, bytes: stored.encryptedKey };
  }

  reEncrypted(row: EncryptedKey): Buffer {
    return this.encrypted(row, this.decrypted(row));
  }

  async replace(row: EncryptedKey, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceEncrypted(row, bytes);
  }
}

function dataOf({ organizationId, workspaceId, provider, id }: KeyBinding): readonly string[] {
  return ['provider_key', organizationId, workspaceId, provider, id];
}
