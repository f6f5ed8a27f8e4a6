import { columnsOf } from '../../persistence/entity-columns.js';
import { shortestDecimal } from '../../persistence/shortest-decimal.js';
import { workspaceOrDefault } from '../workspaces/workspace-or-default.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import type { Statement } from '../../persistence/statement.js';
import type { DataRegion } from '../../config/data-region.js';
import { countedKeySpend, keySpendAt } from '../spend/key-totals.js';
import type { KeyBudgetRow } from '../spend/budgets-of-key.js';
import { type SpendInterval, TODAY } from '../spend/spend-interval.js';

const PERIODS = ['total', 'daily', 'weekly', 'monthly'] as const;

type Period = (typeof PERIODS)[number];

/** What a key has spent in US dollars: in total, and since the beginning of the day, week and month in UTC. */
export type Spend = Readonly<Record<Period | `byok_${Period}`, number>>;

/** A key with what it has spent. */
export interface KeyWithSpend extends ApiKeyEntity, Spend {
  /** Null when the default workspace is deleted. */
  readonly shownWorkspaceId: string | null;
  /** The rest of the limit until it resets, at least 0; null without a limit. */
  readonly limitRemaining: number | null;
}

/** A key that has spent nothing yet. */
export const NO_SPEND: Spend = {
  total: 0,
  daily: 0,
  weekly: 0,
  monthly: 0,
  byok_total: 0,
  byok_daily: 0,
  byok_weekly: 0,
  byok_monthly: 0,
};

/** The period of each interval, as answers call it. */
const PERIOD_OF: Readonly<Record<SpendInterval, Period>> = {
  lifetime: 'total',
  daily: 'daily',
  weekly: 'weekly',
  monthly: 'monthly',
};

// Of this day alone, also where the clock was set back, and more was spent on later ones.
const spentIn = keySpendAt(TODAY);

const SUMS = (['lifetime', 'daily', 'weekly', 'monthly'] as const).flatMap((interval) => [
  `${spentIn(interval)} AS ${PERIOD_OF[interval]}`,
  `${spentIn(interval, 'byok_')} AS byok_${PERIOD_OF[interval]}`,
]);

const SPEND = PERIODS.flatMap((period) => [period, `byok_${period}`]).map(
  (period) => `spend.${period}::double precision AS ${period}`,
);

/** What counts toward the limit. */
const COUNTED = countedKeySpend(
  'k.limit_reset',
  'k.include_byok_in_limit',
  (interval, kind = '') => `spend.${kind}${PERIOD_OF[interval]}`,
);

/**
 * The beginning of a statement that describes keys, under the alias `k`, with what they have spent. Its first parameter is
 * the organization.
 *
 * @param keys `api_keys`, or a common table expression with some of its rows
 */
export function selectKeysWithSpend(keys: string): string {
  return `SELECT ${columnsOf(ApiKeyEntity, 'k')}, ${SPEND.join(', ')},
      ${workspaceOrDefault('k.workspace_id')}
        AS "shownWorkspaceId",
      CASE WHEN k.limit_usd IS NOT NULL THEN greatest(${shortestDecimal('k.limit_usd')}
        - ${COUNTED}, 0)::double precision END AS "limitRemaining"
    FROM ${keys} AS k
    LEFT JOIN key_spend_totals AS totals ON totals.organization_id = $1 AND totals.key_id = k.id
    CROSS JOIN LATERAL (SELECT ${SUMS.join(', ')}) AS spend`;
}

/** A key as its owner sees it, with the lists of regions and the budgets that restrict it. */
export interface CurrentKeyRow extends KeyWithSpend {
  /** Each is a list of the regions through which requests may arrive; null for no restriction. */
  readonly dataRegionLists: readonly (readonly DataRegion[])[] | null;
  /** The limits that apply to it, the broadest first. */
  readonly budgets: readonly KeyBudgetRow[];
}

/** A statement that reads a key as its owner sees it. */
export type CurrentKeyStatement = Statement<CurrentKeyRow, [organizationId: string, id: string]>;
