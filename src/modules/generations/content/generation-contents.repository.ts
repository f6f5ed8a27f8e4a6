import { Injectable } from '@nestjs/common';
import { rowsOfOrganizations } from '../../../persistence/rows-of-organizations.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';

/** An encrypted content, and the record that it is bound to. */
export interface StoredContent {
  readonly organizationId: string;
  readonly id: string;
  readonly createdAt: Date;
  readonly keyId: string;
  readonly content: Buffer;
}

// Across all organizations: the key is the deployment's, and so is the command that changes it.
export const GENERATION_CONTENTS_AFTER = statement<
  StoredContent,
  [organizationId: string, after: string, limit: number]
>(
  'generation_contents_batch',
  `SELECT organization_id AS "organizationId", id, created_at AS "createdAt", key_id AS "keyId", content
    FROM generations
    WHERE (organization_id, id) > ($1, $2) AND content IS NOT NULL ORDER BY organization_id, id LIMIT $3`,
);

export const REPLACE_GENERATION_CONTENT = statement<
  never,
  [organizationId: string, id: string, createdAt: Date, known: Buffer, replacement: Buffer]
>(
  'generation_content_replace',
  `UPDATE generations SET content = $5
    WHERE organization_id = $1 AND id = $2 AND created_at = $3 AND content = $4`,
);

/** The contents of requests, for those who change the key that they are encrypted with. */
@Injectable()
export class GenerationContentsRepository {
  constructor(private readonly statements: Statements) {}

  /** Every content of the deployment, one organization after the other, read in batches. */
  everyContent(): AsyncGenerator<StoredContent> {
    return rowsOfOrganizations((after) => this.statements.rows(GENERATION_CONTENTS_AFTER, after));
  }

  /** Replaces a content, unless it has changed since it was read. @returns whether it has been replaced */
  async replaceEncrypted(
    { organizationId, id, createdAt, content: known }: StoredContent,
    content: Buffer,
  ): Promise<boolean> {
    const values = [organizationId, id, createdAt, known, content] as const;
    return (await this.statements.write(REPLACE_GENERATION_CONTENT, [...values])) === 1;
  }
}
