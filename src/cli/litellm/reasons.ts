/** Why settings of LiteLLM have no place in a file, by their names. */
const REASONS: Readonly<Record<string, string>> = {
  master_key: 'management keys are made by `gatehouse management-key`',
  database_url: 'Gatehouse has a database of its own: DATABASE_URL',
  cache: 'the cache of answers is switched on by workspace: docs/response-cache.md',
  cache_params: 'the cache of answers is switched on by workspace: docs/response-cache.md',
  guardrails: 'guardrails here have other rules: docs/interface/guardrails.md, docs/interface/inspectors.md',
  mcp_servers: 'MCP servers are added by the interface: docs/interface/mcp-servers.md',
  content_policy_fallbacks: 'what a provider refuses for its content is not asked elsewhere',
  request_timeout: 'time limits are those of a connection of the operator: docs/providers.md#connecting',
  timeout: 'time limits are those of a connection of the operator: docs/providers.md#connecting',
  stream_timeout: 'time limits are those of a connection of the operator: docs/providers.md#connecting',
  num_retries: 'each candidate is asked in its turn: docs/gateway.md',
  allowed_fails: 'endpoints that fail are tried last: docs/interface/providers.md#health',
  cooldown_time: 'endpoints that fail are tried last: docs/interface/providers.md#health',
  drop_params: 'parameters that a model does not take are not sent: docs/interface/capabilities.md',
  routing_strategy: 'the order of endpoints is another one: docs/interface/inference.md#order',
  members_with_roles: 'members are added by the interface, or sign in: docs/interface/members.md',
  user_id: 'keys belong to the member who applies the file, or to that of `creator`',
  max_parallel_requests: 'a file does not know the hash by which a limit of one key goes: docs/interface/limits.md',
  extra_headers: 'headers of requests to providers are not set',
  environment_variables: 'variables are those of the environment that applies the file',
  soft_budget: 'alerts say when a budget is near its end: docs/interface/alerts.md',
  blocked: 'what is blocked is not imported',
};

const OF_DESTINATIONS = 'records go to destinations, which need credentials: docs/interface/destinations.md';
const OF_NO_COUNTERPART = 'has no counterpart';

/** Why a setting has no place. */
export function reasonOf(name: string): string {
  if (Object.hasOwn(REASONS, name)) return REASONS[name]!;
  if (name.includes('callback')) return OF_DESTINATIONS;
  if (/^(?:redis|database|proxy|alerting|background_health)/.test(name)) return 'is about the process of LiteLLM';
  return OF_NO_COUNTERPART;
}
