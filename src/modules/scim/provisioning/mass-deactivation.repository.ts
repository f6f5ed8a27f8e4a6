import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';

/** How many members a directory has deactivated within an hour, and how many are active yet. */
export interface DeactivationRun {
  readonly deactivated: number;
  readonly active: number;
  /** When the first of them was; null for none. */
  readonly since: Date | null;
}

const IS_OF_RUN = `deactivated_by = 'directory' AND deactivated_at > now() - interval '1 hour'`;

export const DEACTIVATION_RUN = statement<DeactivationRun, [organizationId: string]>(
  'scim_deactivation_run',
  `SELECT (count(*) FILTER (WHERE ${IS_OF_RUN}))::integer AS deactivated,
      (count(*) FILTER (WHERE deactivated_at IS NULL))::integer AS active,
      min(deactivated_at) FILTER (WHERE ${IS_OF_RUN}) AS since
    FROM organization_members WHERE organization_id = $1 AND kind = 'person'`,
);

/** Members whom a directory has deactivated in some time, and who have not ended. */
export const DEACTIVATED_IN_RUN = statement<
  { user_id: string },
  [organizationId: string, since: Date, until: Date | null]
>(
  'scim_deactivated_in_run',
  `SELECT user_id FROM organization_members
    WHERE organization_id = $1 AND deactivated_by = 'directory' AND deactivated_at >= $2
      AND deactivated_at <= coalesce($3::timestamptz, 'infinity') AND ended_at IS NULL
    ORDER BY id`,
);

/** The rows of members whom a directory deactivates. */
@Injectable()
export class MassDeactivationRepository {
  constructor(private readonly statements: Statements) {}

  async run(tx: Transaction, organizationId: string): Promise<DeactivationRun> {
    return (await tx.first(DEACTIVATION_RUN, [organizationId]))!;
  }

  /** @param until null for now @returns the ids of the users */
  async deactivatedIn(organizationId: string, since: Date, until: Date | null): Promise<string[]> {
    return (await this.statements.rows(DEACTIVATED_IN_RUN, [organizationId, since, until])).map((row) => row.user_id);
  }
}
