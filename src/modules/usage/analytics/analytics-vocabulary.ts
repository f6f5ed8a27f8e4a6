import { sqlIsRecordedName, sqlOfServer, sqlOfTool } from '../../../telemetry/recorded-tools.js';

/** How a metric is to be shown. */
export const DISPLAY_FORMATS = ['number', 'currency', 'percent', 'latency', 'throughput'] as const;

/** A figure that a query can ask for. */
interface MetricOptions {
  readonly label: string;
  readonly format: (typeof DISPLAY_FORMATS)[number];
  /** Whether it is a ratio, which cannot be summed up. */
  readonly isRate?: boolean;
  /** Whether it is of what filters did, and so of records, and not of totals. */
  readonly isOfFilters?: boolean;
  /** Whether it cannot be had from totals, and so is of records. */
  readonly isOfRecords?: boolean;
  /** Whether it needs totals of keys to be told apart by provider. */
  readonly isOfProviders?: boolean;
  /** The SQL of its value for some rows `t`; null where there is none, as the mean of nothing. */
  readonly sql: string;
}

/** The metrics by name. Those that another service of this interface has too go by its names (docs/interface/usage.md#metrics). */
export const METRICS = {
  request_count: { label: 'Requests', format: 'number', sql: 'sum(t.request_count)' },
  refused_count: { label: 'Refused requests', format: 'number', sql: 'sum(t.refused_count)' },
  failed_count: {
    label: 'Requests that failed after a provider or MCP server was asked',
    format: 'number',
    isOfProviders: true,
    sql: `sum(CASE WHEN t.provider = '' THEN 0 ELSE t.refused_count END)`,
  },
  tool_error_count: {
    label: 'Answered calls of tools that say that they have failed',
    format: 'number',
    sql: 'sum(t.tool_error_count)',
  },
  byok_request_count: { label: 'Requests with own provider keys', format: 'number', sql: 'sum(t.byok_request_count)' },
  guardrail_invoked_count: {
    label: 'Requests with findings of content filters',
    format: 'number',
    sql: 'sum(t.filtered_request_count)',
  },
  tokens_prompt: { label: 'Prompt tokens', format: 'number', sql: 'sum(t.prompt_tokens)' },
  tokens_completion: { label: 'Completion tokens', format: 'number', sql: 'sum(t.completion_tokens)' },
  tokens_total: { label: 'Tokens', format: 'number', sql: 'sum(t.prompt_tokens + t.completion_tokens)' },
  reasoning_tokens: { label: 'Reasoning tokens', format: 'number', sql: 'sum(t.reasoning_tokens)' },
  cached_tokens: { label: 'Cached prompt tokens', format: 'number', sql: 'sum(t.cached_tokens)' },
  total_usage: { label: 'Spend', format: 'currency', sql: 'sum(t.usage_usd + t.byok_usage_usd)' },
  credits_usage: { label: "Spend through the gateway's provider keys", format: 'currency', sql: 'sum(t.usage_usd)' },
  byok_usage: { label: 'Spend through own provider keys', format: 'currency', sql: 'sum(t.byok_usage_usd)' },
  avg_latency: {
    label: 'Mean time to the first token',
    format: 'latency',
    isRate: true,
    sql: 'sum(t.latency_ms) / nullif(sum(t.timed_request_count), 0)',
  },
  p50_latency: {
    label: 'Median time to the first token',
    format: 'latency',
    isRate: true,
    isOfRecords: true,
    sql: 'percentile_cont(0.5) WITHIN GROUP (ORDER BY t.first_token_ms)',
  },
  p95_latency: {
    label: '95th percentile of the time to the first token',
    format: 'latency',
    isRate: true,
    isOfRecords: true,
    sql: 'percentile_cont(0.95) WITHIN GROUP (ORDER BY t.first_token_ms)',
  },
  avg_throughput: {
    label: 'Mean completion tokens a second',
    format: 'throughput',
    isRate: true,
    sql: 'sum(t.generated_tokens) * 1000 / nullif(sum(t.generation_ms), 0)',
  },
  cache_hit_rate: {
    label: 'Share of cached prompt tokens',
    format: 'percent',
    isRate: true,
    sql: 'sum(t.cached_tokens) / nullif(sum(t.prompt_tokens), 0)',
  },
  guardrail_invoked_rate: {
    label: 'Share of requests with findings of content filters',
    format: 'percent',
    isRate: true,
    sql: 'sum(t.filtered_request_count) / nullif(sum(t.request_count + t.refused_count), 0)',
  },
  refused_rate: {
    label: 'Share of refused requests',
    format: 'percent',
    isRate: true,
    sql: 'sum(t.refused_count) / nullif(sum(t.request_count + t.refused_count), 0)',
  },
  filter_matches: {
    label: 'Matches of filters and inspectors',
    format: 'number',
    isOfFilters: true,
    sql: 'sum(t.matches)',
  },
  filtered_requests: {
    label: 'Requests with matches of filters and inspectors',
    format: 'number',
    isOfFilters: true,
    sql: 'count(DISTINCT t.generation_id)',
  },
} as const satisfies Readonly<Record<string, MetricOptions>>;

export type MetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

/** The options of a metric. */
export function metricOf(name: MetricName): MetricOptions {
  return METRICS[name];
}

interface DimensionOptions {
  readonly label: string;
  /** The SQL of its value for a row `t`. */
  readonly sql: string;
  /** Whether rows may be without a value, which is then an empty text. */
  readonly canBeUnset?: boolean;
  /** Whether only totals of keys have it. */
  readonly isOfKeys?: boolean;
  /** Whether totals of keys over all models have it. */
  readonly isOfSpenders?: boolean;
  /** Whether only what filters did has it, and so records, and no totals. */
  readonly isOfFilters?: boolean;
  /** Whether no totals tell it apart, but records do. */
  readonly isOfRecords?: boolean;
}

/** An SQL condition for rows `t` of MCP servers: no model of a provider is called so, whose slug has no colon (docs/interface/mcp.md#records). */
const IS_OF_SERVERS = `${sqlIsRecordedName('t.model')} AND (t.provider = '' OR ${sqlIsRecordedName('t.provider')})`;

/** The dimensions by name. */
export const DIMENSIONS = {
  model: { label: 'Model', sql: 't.model', canBeUnset: true },
  provider: { label: 'Provider', sql: 't.provider', canBeUnset: true },
  endpoint: { label: 'Endpoint', sql: 't.endpoint', canBeUnset: true },
  workspace: { label: 'Workspace', sql: 't.workspace_id', canBeUnset: true, isOfSpenders: true },
  api_key_id: { label: 'API key', sql: 't.key_id', isOfKeys: true, isOfSpenders: true },
  user: { label: 'Member', sql: 't.user_id', isOfKeys: true, isOfSpenders: true },
  server: {
    label: 'MCP server',
    sql: `CASE WHEN ${IS_OF_SERVERS} THEN ${sqlOfServer('t.model')} ELSE '' END`,
    canBeUnset: true,
  },
  tool: {
    label: 'Tool',
    sql: `CASE WHEN ${IS_OF_SERVERS} AND t.model LIKE '%/%' THEN ${sqlOfTool('t.model')} ELSE '' END`,
    canBeUnset: true,
  },
  refusal: { label: 'Reason of the refusal', sql: 't.refusal', isOfRecords: true },
  label: { label: 'Label', sql: 't.label', canBeUnset: true, isOfRecords: true },
  filter: { label: 'Filter', sql: 't.filter', isOfFilters: true },
  filter_action: { label: 'Action of the filter', sql: 't.filter_action', isOfFilters: true },
  filter_place: { label: 'Where it matched', sql: 't.filter_place', isOfFilters: true },
  inspector: { label: 'Inspector', sql: 't.inspector', canBeUnset: true, isOfFilters: true },
} as const satisfies Readonly<Record<string, DimensionOptions>>;

export type DimensionName = keyof typeof DIMENSIONS;

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as DimensionName[];

/** The options of a dimension. */
export function dimensionOf(name: DimensionName): DimensionOptions {
  return DIMENSIONS[name];
}

/** The names of what filters did: metrics, and dimensions that no totals have. */
export const FILTER_METRICS: readonly string[] = METRIC_NAMES.filter((name) => metricOf(name).isOfFilters);
export const FILTER_DIMENSIONS: readonly string[] = DIMENSION_NAMES.filter((name) => dimensionOf(name).isOfFilters);

/** Whether a query that has one of these names is about what filters did, and so reads records. */
export function isAboutFilters(names: readonly string[]): boolean {
  return names.some((name) => FILTER_METRICS.includes(name) || FILTER_DIMENSIONS.includes(name));
}

/** The metrics and dimensions that records have, and totals do not. */
const RECORD_NAMES: readonly string[] = [
  ...METRIC_NAMES.filter((name) => metricOf(name).isOfRecords),
  ...DIMENSION_NAMES.filter((name) => dimensionOf(name).isOfRecords),
];

/** Whether a query that has one of these names reads records, because totals do not have it; what filters did is another question. */
export function isAboutRecords(names: readonly string[]): boolean {
  return names.some(isOfRecords);
}

/** Whether a metric or a dimension is one that records have, and totals do not. */
export function isOfRecords(name: string): boolean {
  return RECORD_NAMES.includes(name);
}

/** The operators of filters, with what they compare with. Those of order compare metrics only, those of lists dimensions only. */
export const OPERATORS = {
  eq: 'scalar',
  neq: 'scalar',
  in: 'array',
  not_in: 'array',
  gt: 'scalar',
  gte: 'scalar',
  lt: 'scalar',
  lte: 'scalar',
} as const satisfies Readonly<Record<string, 'scalar' | 'array'>>;

export type OperatorName = keyof typeof OPERATORS;

export const OPERATOR_NAMES = Object.keys(OPERATORS) as OperatorName[];

export const DIMENSION_OPERATORS = ['eq', 'neq', 'in', 'not_in'] as const satisfies OperatorName[];

/** The operators for metrics, with their SQL. */
export const METRIC_OPERATORS = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
} as const satisfies Partial<Record<OperatorName, string>>;

/** The steps of time, with their labels. */
export const GRANULARITIES = {
  minute: 'Minute',
  hour: 'Hour',
  day: 'Day',
  week: 'Week',
  month: 'Month',
} as const;

export type Granularity = keyof typeof GRANULARITIES;

export const GRANULARITY_NAMES = Object.keys(GRANULARITIES) as Granularity[];
