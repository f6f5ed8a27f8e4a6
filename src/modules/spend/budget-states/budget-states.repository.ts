import { Injectable } from '@nestjs/common';
import { type Page, type PageRequest, type PageRow, toPage } from '../../../persistence/page-statement.js';
import { shortestDecimal } from '../../../persistence/shortest-decimal.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { isBlockIn } from '../../limits/block-names.js';
import { windowForecast } from '../../limits/window-forecast.js';
import { countedIn, isWindow } from '../limits-of-key.js';
import { endOfWindow, firstDayOfWindow, type SpendInterval, TODAY } from '../spend-interval.js';

/** The budget of a workspace and what has become of it in the present window. Amounts are US dollars, as decimal text. */
export interface BudgetStateRow {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly interval: SpendInterval;
  readonly includesByok: boolean;
  readonly limitUsd: string;
  readonly spentUsd: string;
  readonly reservedUsd: string;
  readonly leftUsd: string;
  /** Null for the lifetime. */
  readonly windowStart: Date | null;
  readonly resetsAt: Date | null;
  /** What is to be expected at the end of the window; null for nothing. */
  readonly forecastUsd: string | null;
  readonly exhaustedAt: Date | null;
}

/**
 * A page of the budgets of an organization, or of one workspace: those first of which the largest share is spent and reserved. What is
 * reserved for a request counts in the windows in which it came; what blocks hold is left to others. All of it is of one moment.
 */
export const BUDGET_STATES = statement<
  PageRow<BudgetStateRow>,
  [organizationId: string, workspaceId: string | null, limit: number, offset: number]
>(
  'budget_states_page',
  `WITH state AS MATERIALIZED (
      SELECT w.id AS workspace_id, w.name, b."interval", w.include_byok_in_budgets AS includes_byok,
        f.first_day::timestamp AT TIME ZONE 'UTC' AS window_start, ${endOfWindow('b."interval"', 'f.first_day')} AS resets_at,
        ${shortestDecimal('b.limit_usd')} AS limit_usd, ${countedIn('w.include_byok_in_budgets')} AS spent_usd,
        coalesce(r.reserved_usd, 0) AS reserved_usd
      FROM workspace_budgets b JOIN workspaces w ON w.organization_id = $1 AND w.id = b.workspace_id
      CROSS JOIN LATERAL (SELECT ${firstDayOfWindow('b."interval"', TODAY)} AS first_day) AS f
      LEFT JOIN spend_windows s ON ${isWindow('workspace', 'w.id::text', 'b."interval"', TODAY)}
      LEFT JOIN LATERAL (
        SELECT sum(CASE WHEN w.include_byok_in_budgets THEN greatest(held.amount_usd, held.byok_amount_usd)
          ELSE held.amount_usd END) AS reserved_usd
        FROM spend_reservations held
        WHERE held.organization_id = $1 AND held.workspace_id = w.id AND NOT ${isBlockIn('held')} AND held.created_at >= f.first_day::timestamp AT TIME ZONE 'UTC'
      ) AS r ON true
      WHERE b.organization_id = $1 AND ($2::uuid IS NULL OR b.workspace_id = $2)
    )
    SELECT total.total_count, page.* FROM (SELECT count(*) AS total_count FROM state) AS total LEFT JOIN (
      SELECT true AS is_item, state.workspace_id AS "workspaceId", state.name AS "workspaceName", state."interval",
        state.includes_byok AS "includesByok", state.limit_usd::text AS "limitUsd", state.spent_usd::text AS "spentUsd",
        state.reserved_usd::text AS "reservedUsd",
        greatest(state.limit_usd - state.spent_usd - state.reserved_usd, 0)::text AS "leftUsd",
        CASE WHEN state."interval" <> 'lifetime' THEN state.window_start END AS "windowStart", state.resets_at AS "resetsAt",
        forecast.amount::text AS "forecastUsd", forecast.met_at AS "exhaustedAt",
        row_number() OVER (ORDER BY (state.spent_usd + state.reserved_usd) / state.limit_usd DESC, state.workspace_id,
          state."interval") AS place
      FROM state CROSS JOIN LATERAL (${windowForecast({
        used: 'state.spent_usd',
        limit: 'state.limit_usd',
        start: 'state.window_start',
        end: 'state.resets_at',
      })}) AS forecast
      ORDER BY place LIMIT $3::bigint OFFSET $4::bigint
    ) AS page ON true
    ORDER BY page.place`,
);

/** The budgets of an organization with what has become of them. */
@Injectable()
export class BudgetStatesRepository {
  constructor(private readonly statements: Statements) {}

  /** @param workspaceId of which workspace; null for all of them */
  async page(
    organizationId: string,
    workspaceId: string | null,
    { limit, offset }: PageRequest,
  ): Promise<Page<BudgetStateRow>> {
    return toPage(await this.statements.rows(BUDGET_STATES, [organizationId, workspaceId, limit, offset]));
  }
}
