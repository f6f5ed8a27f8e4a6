import { Injectable } from '@nestjs/common';
import {
  isMissing,
  type MonthPartition,
  MonthPartitions,
  PARTITION_KINDS,
} from '../../../persistence/month-partitions.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { MEASURE_COLUMNS, OWNER_COLUMNS } from './usage-columns.js';

/** The names that a total is kept under. */
const NAMES = ['period', 'scope', 'starts_at', ...OWNER_COLUMNS];

const OF_KEY = OWNER_COLUMNS.map((name) => `taken.${name}`).join(', ');
const OF_SPENDER = `taken.workspace_id, taken.key_id, taken.user_id, '', '', ''`;
const OF_WORKSPACE = `taken.workspace_id, '', '', taken.model, taken.provider, taken.endpoint`;

/** The totals to which an addition is added. Minutes are only read for a few hours, so only keys have totals by the minute. */
const TOTALS = [
  `('minute', 'key', taken.starts_at, ${OF_KEY})`,
  ...['hour', 'day'].flatMap((period) =>
    Object.entries({ key: OF_KEY, spender: OF_SPENDER, workspace: OF_WORKSPACE }).map(
      ([scope, owner]) => `('${period}', '${scope}', date_trunc('${period}', taken.starts_at, 'UTC'), ${owner})`,
    ),
  ),
  `('lifetime', 'organization', timestamptz '1970-01-01T00:00:00Z', '', '', '', '', '', '')`,
];

export const ORGANIZATIONS_WITH_ADDITIONS = statement<{ organizationId: string }, [most: number]>(
  'usage_additions_organizations',
  `SELECT DISTINCT organization_id AS "organizationId" FROM usage_additions LIMIT $1`,
);

/**
 * Moves additions of an organization into its totals, all or nothing, and gives their number: none while another replica does it. Each
 * total is written once, in the order of their keys. Totals of minutes and hours that are kept no longer are left out: a request may be
 * recorded long after it came.
 */
export const ROLL_UP_USAGE = statement<{ taken: number }, [organizationId: string, most: number]>(
  'usage_additions_roll_up',
  `WITH turn AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended('usage ' || $1, 0)) AS is_ours
    ),
    taken AS (
      DELETE FROM usage_additions WHERE organization_id = $1 AND generation_id = ANY (ARRAY(
        SELECT a.generation_id FROM turn JOIN usage_additions a ON turn.is_ours WHERE a.organization_id = $1 LIMIT $2))
      RETURNING starts_at, ${[...OWNER_COLUMNS, ...MEASURE_COLUMNS].join(', ')}
    ),
    total AS (
      INSERT INTO usage_totals AS known (organization_id, ${[...NAMES, ...MEASURE_COLUMNS].join(', ')})
      SELECT $1, ${NAMES.map((name) => `added.${name}`).join(', ')},
        ${MEASURE_COLUMNS.map((name) => `sum(taken.${name})`).join(', ')}
      FROM taken CROSS JOIN LATERAL (VALUES ${TOTALS.join(', ')}) AS added (${NAMES.join(', ')})
      WHERE added.period IN ('day', 'lifetime')
        OR added.period = 'hour' AND added.starts_at >= date_trunc('month', now() - interval '93 days', 'UTC')
        OR added.period = 'minute' AND added.starts_at >= date_trunc('month', now() - interval '8 days', 'UTC')
      GROUP BY ${NAMES.map((name) => `added.${name}`).join(', ')} ORDER BY ${NAMES.map((name) => `added.${name}`).join(', ')}
      ON CONFLICT ON CONSTRAINT pk_usage_totals DO UPDATE SET ${MEASURE_COLUMNS.map(
        (name) => `${name} = known.${name} + excluded.${name}`,
      ).join(', ')}
    )
    SELECT count(*)::int AS taken FROM taken`,
);

/** The partitions that additions of an organization lack. */
export const PARTITIONS_FOR_ADDITIONS = statement<MonthPartition, [organizationId: string]>(
  'usage_additions_partitions',
  `SELECT lacking.kind, lacking.month::date::text AS month FROM (
      SELECT DISTINCT kept.kind, date_trunc('month', a.starts_at AT TIME ZONE 'UTC') AS month
      FROM usage_additions a JOIN ${PARTITION_KINDS} ON kept.kind <> 'generations'
        AND a.starts_at >= date_trunc('month', now() - kept.duration, 'UTC')
      WHERE a.organization_id = $1
    ) AS lacking WHERE ${isMissing('lacking.kind', 'lacking.month')}`,
);

/** What was used and is not in the totals yet. */
@Injectable()
export class UsageRollUpRepository {
  constructor(
    private readonly statements: Statements,
    private readonly partitions: MonthPartitions,
  ) {}

  /** The organizations that have additions. @param most of them */
  async organizations(most: number): Promise<string[]> {
    const rows = await this.statements.rows(ORGANIZATIONS_WITH_ADDITIONS, [most]);
    return rows.map(({ organizationId }) => organizationId);
  }

  /**
   * Moves additions of an organization into its totals; where partitions for them are missing, they are made.
   *
   * @param most of them @returns their number; 0 while another replica does it
   */
  async rollUp(organizationId: string, most: number): Promise<number> {
    const { taken } = await this.partitions.writing(
      async () => (await this.statements.bulk.first(ROLL_UP_USAGE, [organizationId, most]))!,
      () => this.statements.rows(PARTITIONS_FOR_ADDITIONS, [organizationId]),
    );
    return taken;
  }
}
