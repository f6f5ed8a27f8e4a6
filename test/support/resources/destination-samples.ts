import type { DestinationType } from '../../../src/modules/observability/destination-settings.js';

/** What stands in the middle of every credential of the samples, and so must not be in any answer, row or log line. */
export const SECRET_MARK = 'SECRET';

/** A secret that signs deliveries. @param beginning four characters of Base64 */
export function signingSecret(beginning: string): string {
  return `whsec_${beginning}${'A'.repeat(20)}${SECRET_MARK}wxyz`;
}

/** A destination's connection settings, and how an answer shows them. */
export interface DestinationSample {
  readonly config: Readonly<Record<string, string>>;
  readonly masked: Readonly<Record<string, string>>;
}

/**
 * Settings of each type, every one that the contract knows: first those that are shown, then the credentials. Written out
 * apart from the table that the masking itself goes by.
 */
export const DESTINATION_SAMPLES: Readonly<Record<DestinationType, DestinationSample>> = {
  arize: sample({ modelId: 'gateway', baseUrl: 'https://otlp.arize.com' }, ['apiKey', 'spaceKey']),
  braintrust: sample({ projectId: 'project-1', baseUrl: 'https://api.braintrust.dev' }, ['apiKey']),
  clickhouse: sample(
    { host: 'https://clickhouse.example.com:8443', database: 'traces', table: 'GATEWAY', username: 'a-long-user-name' },
    ['password'],
  ),
  datadog: sample({ mlApp: 'gateway', url: 'https://api.us5.datadoghq.com' }, ['apiKey']),
  grafana: sample({ instanceId: '1234567890', baseUrl: 'https://otlp-gateway.grafana.net' }, ['apiKey']),
  langfuse: sample({ baseUrl: 'https://us.cloud.langfuse.com' }, ['publicKey', 'secretKey']),
  langsmith: sample(
    { endpoint: 'https://api.smith.langchain.com', project: 'a-long-project-name', workspaceId: 'workspace-1' },
    ['apiKey'],
  ),
  newrelic: sample({ region: 'eu' }, ['licenseKey']),
  opik: sample({ workspace: 'a-long-workspace', projectName: 'a-long-project' }, ['apiKey']),
  'otel-collector': sample({ endpoint: 'https://otel.example.com/v1/traces' }, []),
  posthog: sample({ endpoint: 'https://us.i.posthog.com' }, ['apiKey']),
  ramp: sample({ baseUrl: 'https://api.ramp.com/developer/v1/ai-usage/gateway' }, ['apiKey']),
  s3: sample(
    {
      bucketName: 'gateway-traces',
      region: 'eu-central-1',
      endpoint: 'https://s3.example.com',
      prefix: 'gateway-traces',
      pathTemplate: '{prefix}/{date}',
    },
    ['accessKeyId', 'secretAccessKey', 'sessionToken'],
  ),
  sentry: {
    config: {
      otlpEndpoint: 'https://o1.ingest.sentry.io/api/1/integration/otlp',
      dsn: `https://0123${SECRET_MARK}4567@o1.ingest.sentry.io/1`,
    },
    masked: { otlpEndpoint: 'https://o1.ingest.sentry.io/api/1/integration/otlp', dsn: 'http...io/1' },
  },
  snowflake: sample(
    {
      account: 'organization-account',
      database: 'TRACES_DB',
      schema: 'PUBLIC',
      table: 'GATEWAY',
      warehouse: 'COMPUTE',
    },
    ['token'],
  ),
  weave: sample({ entity: 'a-long-team-name', project: 'a-long-project', baseUrl: 'https://trace.wandb.ai' }, [
    'apiKey',
  ]),
  webhook: {
    config: {
      url: `https://hooks.example.com/traces/${SECRET_MARK}`,
      method: 'PUT',
      signingSecret: signingSecret('abcd'),
    },
    masked: { url: 'https://hooks.example.com/****', method: 'PUT', signingSecret: 'whse...wxyz' },
  },
};

function sample(shown: Readonly<Record<string, string>>, credentials: readonly string[]): DestinationSample {
  const each = (value: (name: string) => string): Record<string, string> =>
    Object.fromEntries(credentials.map((name) => [name, value(name)]));
  return {
    config: { ...shown, ...each((name) => `abcd-${SECRET_MARK}-${name}-wxyz`) },
    masked: { ...shown, ...each(() => 'abcd...wxyz') },
  };
}
