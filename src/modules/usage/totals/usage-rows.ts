import type { TotalPeriod, TotalScope } from '../entities/usage-total.entity.js';
import { MEASURE_COLUMNS, OWNER_COLUMNS } from './usage-columns.js';

const COLUMNS = ['starts_at', ...OWNER_COLUMNS, ...MEASURE_COLUMNS].map((name) => `t.${name}`).join(', ');

/** Some totals: those of a period that begin at `from` or later and before `until`, which are SQL expressions. */
export interface TotalsSpan {
  readonly period: TotalPeriod;
  readonly from: string;
  readonly until: string;
}

/**
 * A SELECT of what was used: of totals, and of what is not in them yet, which each statement sees either here or there. A row of an
 * addition begins at its minute, and has the names also that totals of its scope do not tell apart. The first parameter of the statement
 * is the organization.
 *
 * @param spans times that follow one another
 * @param condition an SQL condition on the names and what is counted of rows `t`
 */
export function usageRows(scope: TotalScope, spans: readonly TotalsSpan[], condition: string): string {
  const totals = spans.map(
    ({ period, from, until }) => `SELECT ${COLUMNS} FROM usage_totals t
          WHERE t.organization_id = $1 AND t.period = '${period}' AND t.scope = '${scope}'
            AND t.starts_at >= ${from} AND t.starts_at < ${until} AND ${condition}`,
  );
  const additions = `SELECT ${COLUMNS} FROM usage_additions t
          WHERE t.organization_id = $1 AND t.starts_at >= ${spans[0]!.from} AND t.starts_at < ${spans.at(-1)!.until} AND ${condition}`;
  return [...totals, additions].join(' UNION ALL ');
}
