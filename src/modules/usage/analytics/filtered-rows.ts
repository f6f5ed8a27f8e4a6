import {
  namedColumns,
  OWNERS,
  RECORDED_ENDPOINT,
  RECORDED_IS_MCP,
  RECORDED_PROVIDER,
} from '../totals/usage-columns.js';

/**
 * The SQL condition for a record in which a filter or an inspector found something, by its columns. An index has those records alone, so a
 * statement with this condition reads no others.
 */
export const FILTERED = `(details -> 'filters' <> '[]' OR details @? '$.judgements[*] ? (@.outcome != "passed")')`;

/**
 * What filters and inspectors did, of a record `g`: a row for each of its filters, and for each verdict of an inspector but that texts pass. An
 * inspector is called by its name, and what it did by the words of filters (docs/interface/usage.md#what-filters-did).
 */
const FOUND = `SELECT f ->> 'filter' AS filter, '' AS inspector, f ->> 'action' AS filter_action,
            coalesce(f ->> 'place', 'request') AS filter_place, (f ->> 'count')::numeric AS matches
          FROM jsonb_array_elements(g.details -> 'filters') AS f
          UNION ALL
          SELECT j ->> 'name', j ->> 'id',
            CASE WHEN j ->> 'outcome' = 'failed' THEN 'fail' WHEN j ? 'observed' THEN 'flag'
              WHEN j ->> 'outcome' = 'blocked' THEN 'block' ELSE 'redact' END,
            j ->> 'place', (j ->> 'count')::numeric
          FROM jsonb_array_elements(g.details -> 'judgements') AS j WHERE j ->> 'outcome' <> 'passed'`;

/**
 * A SELECT of what filters and inspectors did, from the records of some time, with the owners that totals have. The first parameter of the
 * statement is the organization.
 *
 * @param from an SQL expression, as `until` is, which is exclusive
 * @param condition an SQL condition on the columns of rows `t`
 */
export function filteredRows(from: string, until: string, condition: string): string {
  return `SELECT * FROM (
          SELECT g.created_at AS starts_at, g.id AS generation_id, ${namedColumns(OWNERS)},
            found.filter, found.inspector, found.filter_action, found.filter_place, found.matches
          FROM (
            SELECT id, created_at, workspace_id, key_id, user_id, model, details, ${RECORDED_PROVIDER} AS provider, ${RECORDED_ENDPOINT} AS endpoint, ${RECORDED_IS_MCP} AS is_mcp
            FROM generations
            WHERE organization_id = $1 AND created_at >= ${from} AND created_at < ${until} AND ${FILTERED}
          ) AS g
          CROSS JOIN LATERAL (${FOUND}) AS found
        ) AS t WHERE ${condition}`;
}
