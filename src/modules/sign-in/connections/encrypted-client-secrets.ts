import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cipher } from '../../encryption/cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../../encryption/encrypted-tables.js';
import { SignInConnectionsRepository, type StoredClientSecret } from './sign-in-connections.repository.js';

/** What a client secret is bound to: in another row, or for another issuer, it cannot be decrypted. */
export type ClientSecretBinding = Omit<StoredClientSecret, 'encryptedClientSecret'>;

type EncryptedSecret = StoredClientSecret & EncryptedRow;

/** The client secrets of identity providers, encrypted at rest and bound to organization, id, issuer and client. */
@Injectable()
export class EncryptedClientSecrets implements EncryptedTable<EncryptedSecret>, OnModuleInit {
  readonly name = 'identity providers';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: SignInConnectionsRepository,
    private readonly cipher: Cipher,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  encrypted(owner: ClientSecretBinding, secret: string): Buffer {
    return this.cipher.seal(dataOf(owner), secret);
  }

  /** @throws Error when no key fits, or the row is not the one that it was encrypted for */
  decrypted(stored: StoredClientSecret): string {
    return this.cipher.open(dataOf(stored), stored.encryptedClientSecret) as string;
  }

  async *rows(): AsyncGenerator<EncryptedSecret> {
    for await (const stored of this.repository.everySecret()) yield { ...stored, bytes: stored.encryptedClientSecret };
  }

  reEncrypted(row: EncryptedSecret): Buffer {
    return this.encrypted(row, this.decrypted(row));
  }

  async replace(row: EncryptedSecret, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceEncrypted(row, bytes);
  }
}

function dataOf({ organizationId, id, issuer, clientId }: ClientSecretBinding): readonly string[] {
  return ['sign_in_connection', organizationId, id, issuer, clientId];
}
