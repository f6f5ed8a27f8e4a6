import { Injectable } from '@nestjs/common';
import { Cipher } from '../../encryption/cipher.js';
import { EncryptedColumn } from '../../encryption/encrypted-column.js';
import { EncryptedTables } from '../../encryption/encrypted-tables.js';
import { OwnKeysRepository, type StoredKey } from './own-keys.repository.js';

type KeyBinding = Omit<StoredKey, 'encryptedKey'>;

/** The organizations' own keys, bound to organization, workspace, provider and id. */
@Injectable()
export class EncryptedOwnKeys extends EncryptedColumn<'encryptedKey', KeyBinding, StoredKey, string> {
  readonly name = 'provider keys';
  protected readonly column = 'encryptedKey';

  constructor(
    tables: EncryptedTables,
    cipher: Cipher,
    private readonly repository: OwnKeysRepository,
  ) {
    super(tables, cipher);
  }

  async replace(row: StoredKey, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceEncrypted(row, bytes);
  }

  protected stored(): AsyncIterable<StoredKey> {
    return this.repository.everyKey();
  }

  protected boundTo({ organizationId, workspaceId, provider, id }: KeyBinding): readonly string[] {
    return ['provider_key', organizationId, workspaceId, provider, id];
  }
}
