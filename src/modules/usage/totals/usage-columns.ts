/** What is counted of a record `g`, by column of the totals. Records with another status than 200 are refusals. */
export const MEASURES: Readonly<Record<string, string>> = {
  request_count: `(g.status = 200)::int`,
  refused_count: `(g.status <> 200)::int`,
  byok_request_count: `(g.status = 200 AND g.is_byok)::int`,
  filtered_request_count: `coalesce(g.filter_count > 0, false)::int`,
  prompt_tokens: `coalesce(g.prompt_tokens, 0)`,
  completion_tokens: `coalesce(g.completion_tokens, 0)`,
  reasoning_tokens: `coalesce(g.reasoning_tokens, 0)`,
  cached_tokens: `coalesce(g.cached_tokens, 0)`,
  usage_usd: 'g.usage_usd',
  byok_usage_usd: 'g.byok_usage_usd',
  latency_ms: `CASE WHEN g.status = 200 THEN coalesce(g.latency_ms, 0) ELSE 0 END`,
  timed_request_count: `(g.status = 200 AND g.latency_ms IS NOT NULL)::int`,
  generation_ms: `CASE WHEN g.completion_tokens > 0 THEN coalesce(g.generation_ms, 0) ELSE 0 END`,
  generated_tokens: `CASE WHEN g.generation_ms IS NULL THEN 0 ELSE coalesce(g.completion_tokens, 0) END`,
};

/** The columns of what is counted, of totals and of additions alike. */
export const MEASURE_COLUMNS = Object.keys(MEASURES);

/** The columns that tell whose usage it is, of totals and of additions alike. */
export const OWNER_COLUMNS = ['workspace_id', 'key_id', 'user_id', 'model', 'provider', 'endpoint'];
