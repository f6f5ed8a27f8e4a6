import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';

/** How many records one statement looks at, so that it keeps within its time and holds few rows. */
const BATCH = 5_000;

/** What a record has of a person besides the content: names that clients gave, where they called from, and what was said of it. */
const PERSONAL_DETAILS = ['externalUser', 'sessionId', 'labels', 'referer', 'userAgent', 'feedback'];

const PERSONAL = `'{${PERSONAL_DETAILS.join(', ')}}'::text[]`;

interface ErasedBatch {
  /** The last record that was looked at; null if there was none. */
  readonly last: string | null;
  readonly looked: number;
  readonly erased: number;
}

/** Erases what the next records of an organization, behind the id $3, have of a user. Sums and ids stay. */
export const ERASE_GENERATIONS = statement<ErasedBatch, [organizationId: string, userId: string, after: string]>(
  'generations_erase',
  `WITH looked AS MATERIALIZED (
      SELECT id, created_at, user_id FROM generations WHERE organization_id = $1 AND id > $3 ORDER BY id LIMIT ${BATCH}),
    erased AS (
      UPDATE generations g SET content = NULL, details = g.details - ${PERSONAL} FROM looked
      WHERE g.organization_id = $1 AND g.id = looked.id AND g.created_at = looked.created_at AND looked.user_id = $2
        AND (g.content IS NOT NULL OR g.details ?| ${PERSONAL})
      RETURNING 1)
    SELECT max(id) AS last, count(*)::integer AS looked, (SELECT count(*)::integer FROM erased) AS erased FROM looked`,
);

/** The records of generations, for the erasure of who asked. */
@Injectable()
export class GenerationErasureRepository {
  constructor(private readonly statements: Statements) {}

  /** Erases in batches, each by itself, so that it can be repeated. @returns how many records had something */
  async erase(organizationId: string, userId: string): Promise<number> {
    let after = '';
    let erased = 0;
    for (;;) {
      const batch = (await this.statements.bulk.first(ERASE_GENERATIONS, [organizationId, userId, after]))!;
      erased += batch.erased;
      if (batch.last === null || batch.looked < BATCH) return erased;
      after = batch.last;
    }
  }
}
