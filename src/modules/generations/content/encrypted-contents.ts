import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Cipher } from '../../encryption/cipher.js';
import { type EncryptedRow, type EncryptedTable, EncryptedTables } from '../../encryption/encrypted-tables.js';
import { GenerationContentsRepository, type StoredContent } from './generation-contents.repository.js';
import type { GenerationContent } from './generation-content.js';

/** What a content is bound to: in another record it cannot be decrypted. */
export type ContentBinding = Pick<StoredContent, 'organizationId' | 'id' | 'keyId'>;

type EncryptedContent = StoredContent & EncryptedRow;

/** The contents of requests, encrypted at rest and bound to organization, key and id of the record. */
@Injectable()
export class EncryptedContents implements EncryptedTable<EncryptedContent>, OnModuleInit {
  readonly name = 'contents of generations';

  constructor(
    private readonly tables: EncryptedTables,
    private readonly repository: GenerationContentsRepository,
    private readonly cipher: Cipher,
  ) {}

  onModuleInit(): void {
    this.tables.register(this);
  }

  encrypted(owner: ContentBinding, content: GenerationContent): Buffer {
    return this.cipher.seal(dataOf(owner), content);
  }

  /** @throws Error when no key fits, or the record is not the one that it was encrypted for */
  decrypted(stored: ContentBinding & Pick<StoredContent, 'content'>): GenerationContent {
    return this.cipher.open(dataOf(stored), stored.content) as GenerationContent;
  }

  async *rows(): AsyncGenerator<EncryptedContent> {
    for await (const stored of this.repository.everyContent()) yield { ...stored, bytes: stored.content };
  }

  reEncrypted(row: EncryptedContent): Buffer {
    return this.encrypted(row, this.decrypted(row));
  }

  async replace(row: EncryptedContent, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceEncrypted(row, bytes);
  }
}

function dataOf({ organizationId, id, keyId }: ContentBinding): readonly string[] {
  return ['generation_content', organizationId, keyId, id];
}
