import { USED } from '../totals/usage-additions.js';
import { MEASURES, namedColumns, OWNERS } from '../totals/usage-columns.js';

/** The SQL condition for a record of a request that was refused or failed. An index has those records alone. */
export const UNANSWERED = 'status <> 200';

/** What records have besides what is counted in totals, by the name of the column. */
const RECORDED = {
  first_token_ms: `CASE WHEN g.status = 200 THEN g.latency_ms END`,
  refusal: 'coalesce(g.refusal, g.status::text)',
};

/**
 * A SELECT of what was used, from the records of some time, with the columns of totals and those that only records have. The first parameter
 * of the statement is the organization. A record with several labels is a row for each of them if labels are told apart, one without any a
 * row with an empty text.
 *
 * @param from an SQL expression, as `until` is, which is exclusive
 * @param condition an SQL condition on the columns of rows `t`
 * @param names the metrics and dimensions that are asked for: with `refusal` it is about requests without an answer alone
 */
export function recordedRows(from: string, until: string, condition: string, names: ReadonlySet<string>): string {
  const refused = names.has('refusal') ? ` AND ${UNANSWERED}` : '';
  const labels = names.has('label')
    ? `LEFT JOIN LATERAL (SELECT name || '=' || value AS label FROM jsonb_each_text(g.labels) AS each(name, value)) AS labelled ON true`
    : '';
  const label = labels === '' ? `''` : `coalesce(labelled.label, '')`;
  return `SELECT * FROM (
          SELECT g.created_at AS starts_at, ${namedColumns({ ...OWNERS, ...MEASURES, ...RECORDED, label })}
          FROM (
            SELECT created_at, workspace_id, key_id, user_id, is_byok, details ->> 'refusal' AS refusal, details -> 'labels' AS labels, ${USED}
            FROM generations
            WHERE organization_id = $1 AND created_at >= ${from} AND created_at < ${until}
              AND id >= ${firstIdOf(from)} AND id < ${firstIdOf(until)}${refused}
          ) AS g ${labels}
        ) AS t WHERE ${condition}`;
}

/** What is before every id of a time, which is a whole second: ids are in the order of time, and the index of a partition has them so. */
function firstIdOf(time: string): string {
  return `'gen-' || floor(extract(epoch FROM ${time}))::bigint || '-'`;
}
