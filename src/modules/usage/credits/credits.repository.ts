import { Injectable } from '@nestjs/common';
import { shortestDecimal } from '../../../persistence/shortest-decimal.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';

/** US dollars as decimal text. */
export interface CreditSums {
  readonly budgets: string;
  readonly usage: string;
}

/** The lifetime budgets of the workspaces together, and what the organization has ever spent. */
export const CREDITS = statement<CreditSums, [organizationId: string]>(
  'credits',
  `SELECT
      (SELECT coalesce(sum(${shortestDecimal('b.limit_usd')}), 0) FROM workspace_budgets b
        WHERE b.organization_id = $1 AND b."interval" = 'lifetime') AS budgets,
      coalesce((SELECT t.usage_usd FROM usage_totals t
        WHERE t.organization_id = $1 AND t.period = 'lifetime' AND t.scope = 'organization'), 0)
        + (SELECT coalesce(sum(a.usage_usd), 0) FROM usage_additions a WHERE a.organization_id = $1) AS usage`,
);

/** The sums that credits are answered from. */
@Injectable()
export class CreditsRepository {
  constructor(private readonly statements: Statements) {}

  async sums(organizationId: string): Promise<CreditSums> {
    return (await this.statements.first(CREDITS, [organizationId]))!;
  }
}
