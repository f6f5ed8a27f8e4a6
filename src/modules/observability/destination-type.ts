/** The 17 kinds of destination (SERVICE.md, section 2.10; DECISIONS.md, section 4). */
export const DESTINATION_TYPES = [
  'arize',
  'braintrust',
  'clickhouse',
  'datadog',
  'grafana',
  'langfuse',
  'langsmith',
  'newrelic',
  'opik',
  'otel-collector',
  'posthog',
  'ramp',
  's3',
  'sentry',
  'snowflake',
  'weave',
  'webhook',
] as const;

export type DestinationType = (typeof DESTINATION_TYPES)[number];
