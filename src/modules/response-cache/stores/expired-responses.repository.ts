import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';

/** How many answers one statement deletes at most: it has its time. */
const DELETED_AT_ONCE = 1_000;

/** The organizations that have answers whose time is over. */
export const ORGANIZATIONS_WITH_EXPIRED = statement<{ organizationId: string }>(
  'cached_responses_organizations',
  'SELECT DISTINCT organization_id AS "organizationId" FROM cached_responses WHERE expires_at <= now()',
);

/** Deletes answers of an organization whose time is over. */
export const DELETE_EXPIRED = statement<never, [organizationId: string]>(
  'cached_responses_delete_expired',
  `DELETE FROM cached_responses WHERE organization_id = $1 AND ctid = ANY (ARRAY(
      SELECT ctid FROM cached_responses WHERE organization_id = $1 AND expires_at <= now()
      ORDER BY expires_at LIMIT ${DELETED_AT_ONCE} FOR UPDATE SKIP LOCKED))`,
);

/** Answers in PostgreSQL whose time is over. */
@Injectable()
export class ExpiredResponsesRepository {
  constructor(private readonly statements: Statements) {}

  /** Deletes them, one organization after the other. */
  async delete(): Promise<void> {
    for (const { organizationId } of await this.statements.rows(ORGANIZATIONS_WITH_EXPIRED, [])) {
      let deleted: number;
      do deleted = await this.statements.write(DELETE_EXPIRED, [organizationId]);
      while (deleted === DELETED_AT_ONCE);
    }
  }
}
