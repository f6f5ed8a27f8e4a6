import type { DestinationType } from '../../destination-settings.js';
import type { DestinationAdapter } from '../destination-adapter.js';
import { CLICKHOUSE_ADAPTER } from './clickhouse.js';
import { DATADOG_ADAPTER } from './datadog.js';
import { OtlpAdapter } from './otlp-adapter.js';
import { OTLP_TYPES } from './otlp-types.js';
import { POSTHOG_ADAPTER } from './posthog.js';
import { S3_ADAPTER } from './s3.js';
import { SNOWFLAKE_ADAPTER } from './snowflake.js';
import { WEBHOOK_ADAPTER } from './webhook.js';

const ADAPTERS: Readonly<Record<DestinationType, DestinationAdapter>> = {
  arize: new OtlpAdapter(OTLP_TYPES.arize),
  braintrust: new OtlpAdapter(OTLP_TYPES.braintrust),
  clickhouse: CLICKHOUSE_ADAPTER,
  datadog: DATADOG_ADAPTER,
  grafana: new OtlpAdapter(OTLP_TYPES.grafana),
  langfuse: new OtlpAdapter(OTLP_TYPES.langfuse),
  langsmith: new OtlpAdapter(OTLP_TYPES.langsmith),
  newrelic: new OtlpAdapter(OTLP_TYPES.newrelic),
  opik: new OtlpAdapter(OTLP_TYPES.opik),
  'otel-collector': new OtlpAdapter(OTLP_TYPES['otel-collector']),
  posthog: POSTHOG_ADAPTER,
  ramp: new OtlpAdapter(OTLP_TYPES.ramp),
  s3: S3_ADAPTER,
  sentry: new OtlpAdapter(OTLP_TYPES.sentry),
  snowflake: SNOWFLAKE_ADAPTER,
  weave: new OtlpAdapter(OTLP_TYPES.weave),
  webhook: WEBHOOK_ADAPTER,
};

/** How generations are written for a type of destination (docs/interface/destination-types.md). */
export function adapterOf(type: DestinationType): DestinationAdapter {
  return ADAPTERS[type];
}
