/** The 17 kinds of destination (docs/interface/destinations.md#types). */
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
