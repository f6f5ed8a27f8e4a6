import { MCP_RECORD } from '../../../telemetry/operations.js';

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
  tool_error_count: `(g.status = 200 AND g.is_tool_error)::int`,
};

/** The columns of what is counted, of totals and of additions alike. */
export const MEASURE_COLUMNS = Object.keys(MEASURES);

/** The provider and the endpoint that a record belongs to, by its columns: those that answered, or that were asked last. */
export const RECORDED_PROVIDER = `coalesce(provider, split_part(details ->> 'endpoint', '/', 1))`;
export const RECORDED_ENDPOINT = `coalesce(details -> 'attempts' -> -1 ->> 'endpoint', details ->> 'endpoint', '')`;

/** Whether a record is of a call of a tool, or of something else that an MCP server was asked for, by its columns. */
export const RECORDED_IS_MCP = `coalesce(details ->> 'apiType' = '${MCP_RECORD}', false)`;

/**
 * Whose usage a record `g` is, by column of the totals. A caller can ask for any model there is not, so a model counts only when a provider
 * was asked for it, or may have been, or its answer was cached. A record of a tool always names one that there is.
 */
export const OWNERS: Readonly<Record<string, string>> = {
  workspace_id: `coalesce(g.workspace_id::text, '')`,
  key_id: 'g.key_id::text',
  user_id: 'g.user_id',
  model: `CASE WHEN g.provider IS NULL AND NOT g.is_mcp THEN '' ELSE g.model END`,
  provider: `coalesce(g.provider, '')`,
  endpoint: 'g.endpoint',
};

/** The columns that tell whose usage it is, of totals and of additions alike. */
export const OWNER_COLUMNS = Object.keys(OWNERS);

/** An SQL list of expressions with the names of their columns. */
export function namedColumns(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, expression]) => `${expression} AS ${name}`)
    .join(', ');
}
