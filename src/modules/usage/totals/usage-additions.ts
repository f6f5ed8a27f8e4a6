import {
  MEASURE_COLUMNS,
  MEASURES,
  namedColumns,
  OWNER_COLUMNS,
  OWNERS,
  RECORDED_ENDPOINT,
  RECORDED_IS_MCP,
  RECORDED_PROVIDER,
} from './usage-columns.js';

/** What a statement that inserts records has to return of each for {@link ADD_USAGE}. */
export const USED = `id, status, model, ${RECORDED_PROVIDER} AS provider, prompt_tokens, completion_tokens,
        CASE WHEN details ? 'byokCostUsd' THEN cost_usd - (details ->> 'byokCostUsd')::numeric
          WHEN is_byok THEN 0 ELSE cost_usd END AS usage_usd,
        CASE WHEN details ? 'byokCostUsd' THEN (details ->> 'byokCostUsd')::numeric
          WHEN is_byok THEN cost_usd ELSE 0 END AS byok_usage_usd,
        ${RECORDED_ENDPOINT} AS endpoint,
        jsonb_array_length(details -> 'filters') AS filter_count,
        (details ->> 'cachedTokens')::numeric AS cached_tokens,
        (details ->> 'reasoningTokens')::numeric AS reasoning_tokens,
        (details ->> 'latencyMs')::numeric AS latency_ms,
        (details ->> 'generationMs')::numeric AS generation_ms,
        ${RECORDED_IS_MCP} AS is_mcp, coalesce((details -> 'mcp' ->> 'isError')::boolean, false) AS is_tool_error`;

/**
 * An INSERT of what records have used (docs/adr/0017-usage-is-added-up-later.md), for a statement whose first parameter is the organization:
 * a row for each minute, key, workspace, member, model, provider and endpoint among them. It changes no row that there is, so that two such
 * statements never wait for one another.
 *
 * `generation` must be a name for the new records with {@link USED}, `key_id`, `user_id`, `workspace_id`, `created_at` and `is_byok`. What
 * was used through keys of the deployment and of the organization in attempts of one request is told apart by `byokCostUsd`.
 */
export const ADD_USAGE = `INSERT INTO usage_additions
      (organization_id, generation_id, starts_at, ${[...OWNER_COLUMNS, ...MEASURE_COLUMNS].join(', ')})
    SELECT $1, min(used.id), used.starts_at, ${OWNER_COLUMNS.map((name) => `used.${name}`).join(', ')},
      ${MEASURE_COLUMNS.map((name) => `sum(used.${name})`).join(', ')}
    FROM (
      SELECT g.id, date_trunc('minute', g.created_at, 'UTC') AS starts_at,
        ${namedColumns({ ...OWNERS, ...MEASURES })}
      FROM generation g
    ) AS used
    GROUP BY used.starts_at, ${OWNER_COLUMNS.map((name) => `used.${name}`).join(', ')}`;
