/** What a statement that inserts records has to return of each for {@link ADD_USAGE}. */
export const USED = `status, model, provider, prompt_tokens, completion_tokens,
        coalesce(details -> 'attempts' -> -1 ->> 'endpoint', '') AS endpoint,
        jsonb_array_length(details -> 'filters') AS filter_count,
        (details ->> 'cachedTokens')::numeric AS cached_tokens,
        (details ->> 'reasoningTokens')::numeric AS reasoning_tokens,
        (details ->> 'latencyMs')::numeric AS latency_ms,
        (details ->> 'generationMs')::numeric AS generation_ms`;

/** What is counted of a record `g`, by column of the totals. Refused are those whose status is not 200. */
const MEASURES: Readonly<Record<string, string>> = {
  request_count: `(g.status = 200)::int`,
  refused_count: `(g.status <> 200)::int`,
  byok_request_count: `(g.status = 200 AND g.is_byok)::int`,
  filtered_request_count: `coalesce(g.filter_count > 0, false)::int`,
  prompt_tokens: `coalesce(g.prompt_tokens, 0)`,
  completion_tokens: `coalesce(g.completion_tokens, 0)`,
  reasoning_tokens: `coalesce(g.reasoning_tokens, 0)`,
  cached_tokens: `coalesce(g.cached_tokens, 0)`,
  usage_usd: `CASE WHEN g.is_byok THEN 0 ELSE g.cost_usd END`,
  byok_usage_usd: `CASE WHEN g.is_byok THEN g.cost_usd ELSE 0 END`,
  latency_ms: `CASE WHEN g.status = 200 THEN coalesce(g.latency_ms, 0) ELSE 0 END`,
  timed_request_count: `(g.status = 200 AND g.latency_ms IS NOT NULL)::int`,
  generation_ms: `CASE WHEN g.completion_tokens > 0 THEN coalesce(g.generation_ms, 0) ELSE 0 END`,
  generated_tokens: `CASE WHEN g.generation_ms IS NULL THEN 0 ELSE coalesce(g.completion_tokens, 0) END`,
};

const COLUMNS = Object.keys(MEASURES);

/** The names that a total is kept under. */
const NAMES = ['period', 'scope', 'starts_at', 'workspace_id', 'key_id', 'user_id', 'model', 'provider', 'endpoint'];

const OF_KEY = 'used.workspace_id, used.key_id, used.user_id, used.model, used.provider, used.endpoint';
const OF_WORKSPACE = `used.workspace_id, '', '', used.model, used.provider, used.endpoint`;

/** The totals that a record adds to. Minutes are read for a few hours only, so those of workspaces are summed up then. */
const TOTALS = [
  `('minute', 'key', date_trunc('minute', used.created_at, 'UTC'), ${OF_KEY})`,
  `('hour', 'key', date_trunc('hour', used.created_at, 'UTC'), ${OF_KEY})`,
  `('hour', 'workspace', date_trunc('hour', used.created_at, 'UTC'), ${OF_WORKSPACE})`,
  `('day', 'key', date_trunc('day', used.created_at, 'UTC'), ${OF_KEY})`,
  `('day', 'workspace', date_trunc('day', used.created_at, 'UTC'), ${OF_WORKSPACE})`,
  `('lifetime', 'organization', timestamptz '1970-01-01T00:00:00Z', '', '', '', '', '', '')`,
];

/**
 * An INSERT that adds records to the totals of usage (docs/interface/usage.md#totals), for a statement whose first parameter is the
 * organization. Each total is written once, in the order of their keys, so that two statements never wait for one another.
 *
 * A caller can ask for any model there is not, so a model counts only when a provider was asked for it.
 *
 * `generation` must be a name for the new records with {@link USED}, `key_id`, `user_id`, `workspace_id`, `created_at`, `cost_usd` and
 * `is_byok`.
 */
export const ADD_USAGE = `INSERT INTO usage_totals AS known (organization_id, ${[...NAMES, ...COLUMNS].join(', ')})
    SELECT $1, ${NAMES.map((name) => `added.${name}`).join(', ')}, ${COLUMNS.map((name) => `sum(used.${name})`).join(', ')}
    FROM (
      SELECT g.created_at, coalesce(g.workspace_id::text, '') AS workspace_id, g.key_id::text AS key_id, g.user_id,
        CASE WHEN g.provider IS NULL THEN '' ELSE g.model END AS model, coalesce(g.provider, '') AS provider, g.endpoint,
        ${COLUMNS.map((name) => `${MEASURES[name]!} AS ${name}`).join(', ')}
      FROM generation g
    ) AS used
    CROSS JOIN LATERAL (VALUES ${TOTALS.join(', ')}) AS added (${NAMES.join(', ')})
    GROUP BY 2, 3, 4, 5, 6, 7, 8, 9, 10 ORDER BY 2, 3, 4, 5, 6, 7, 8, 9, 10
    ON CONFLICT ON CONSTRAINT pk_usage_totals DO UPDATE SET ${COLUMNS.map((name) => `${name} = known.${name} + excluded.${name}`).join(', ')}`;
