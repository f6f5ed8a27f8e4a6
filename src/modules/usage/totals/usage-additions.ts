import { MEASURE_COLUMNS, MEASURES, OWNER_COLUMNS } from './usage-columns.js';

/** What a statement that inserts records has to return of each for {@link ADD_USAGE}. */
export const USED = `id, status, model, coalesce(provider, split_part(details ->> 'endpoint', '/', 1)) AS provider, prompt_tokens, completion_tokens,
        CASE WHEN details ? 'byokCostUsd' THEN cost_usd - (details ->> 'byokCostUsd')::numeric
          WHEN is_byok THEN 0 ELSE cost_usd END AS usage_usd,
        CASE WHEN details ? 'byokCostUsd' THEN (details ->> 'byokCostUsd')::numeric
          WHEN is_byok THEN cost_usd ELSE 0 END AS byok_usage_usd,
        coalesce(details -> 'attempts' -> -1 ->> 'endpoint', details ->> 'endpoint', '') AS endpoint,
        jsonb_array_length(details -> 'filters') AS filter_count,
        (details ->> 'cachedTokens')::numeric AS cached_tokens,
        (details ->> 'reasoningTokens')::numeric AS reasoning_tokens,
        (details ->> 'latencyMs')::numeric AS latency_ms,
        (details ->> 'generationMs')::numeric AS generation_ms`;

/**
 * An INSERT of what records have used (docs/adr/0017-usage-is-added-up-later.md), for a statement whose first parameter is the organization:
 * a row for each minute, key, workspace, member, model, provider and endpoint among them. It changes no row that there is, so that two such
 * statements never wait for one another.
 *
 * A caller can ask for any model there is not, so a model counts only when a provider was asked for it, or may have been, or its answer was cached.
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
        coalesce(g.workspace_id::text, '') AS workspace_id, g.key_id::text AS key_id, g.user_id,
        CASE WHEN g.provider IS NULL THEN '' ELSE g.model END AS model, coalesce(g.provider, '') AS provider, g.endpoint,
        ${MEASURE_COLUMNS.map((name) => `${MEASURES[name]!} AS ${name}`).join(', ')}
      FROM generation g
    ) AS used
    GROUP BY used.starts_at, ${OWNER_COLUMNS.map((name) => `used.${name}`).join(', ')}`;
