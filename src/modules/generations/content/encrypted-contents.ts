import { Injectable } from '@nestjs/common';
import { Cipher } from '../../encryption/cipher.js';
import { EncryptedColumn } from '../../encryption/encrypted-column.js';
import { EncryptedTables } from '../../encryption/encrypted-tables.js';
import { GenerationContentsRepository, type StoredContent } from './generation-contents.repository.js';
import type { GenerationContent } from './generation-content.js';

type ContentBinding = Pick<StoredContent, 'organizationId' | 'id' | 'keyId'>;

/** The contents of requests, bound to organization, key and id of the record. */
@Injectable()
export class EncryptedContents extends EncryptedColumn<'content', ContentBinding, StoredContent, GenerationContent> {
  readonly name = 'contents of generations';
  protected readonly column = 'content';

  constructor(
    tables: EncryptedTables,
    cipher: Cipher,
    private readonly repository: GenerationContentsRepository,
  ) {
    super(tables, cipher);
  }

  async replace(row: StoredContent, bytes: Buffer): Promise<boolean> {
    return this.repository.replaceEncrypted(row, bytes);
  }

  protected stored(): AsyncIterable<StoredContent> {
    return this.repository.everyContent();
  }

  protected boundTo({ organizationId, id, keyId }: ContentBinding): readonly string[] {
    return ['generation_content', organizationId, keyId, id];
  }
}
