import { Injectable } from '@nestjs/common';
import { Cipher } from '../../encryption/cipher.js';
import { EncryptedColumn } from '../../encryption/encrypted-column.js';
import { EncryptedTables } from '../../encryption/encrypted-tables.js';
import { SignInConnectionsRepository, type StoredClientSecret } from './sign-in-connections.repository.js';

type ClientSecretBinding = Omit<StoredClientSecret, 'encryptedClientSecret'>;

/** The client secrets of identity providers, bound to organization, id, issuer and client. */
@Injectable()
export class EncryptedClientSecrets extends EncryptedColumn<
  'encryptedClientSecret',
  ClientSecretBinding,
  StoredClientSecret,
  string
> {
  readonly name = 'identity providers';
  protected readonly column = 'encryptedClientSecret';

  constructor(
    tables: EncryptedTables,
    cipher: Cipher,
    private readonly repository: SignInConnectionsRepository,
  ) {
    super(tables, cipher);
  }

  async replace(row: StoredClientSecret, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceEncrypted(row, bytes);
  }

  protected stored(): AsyncIterable<StoredClientSecret> {
    return this.repository.everySecret();
  }

  protected boundTo({ organizationId, id, issuer, clientId }: ClientSecretBinding): readonly string[] {
    return ['sign_in_connection', organizationId, id, issuer, clientId];
  }
}
