import type { AddressForm } from '../../http/addresses/address-form.js';

/** One connection setting of a destination. */
export interface Setting {
  readonly description: string;
  readonly example: string;
  /** Whether it is a credential; credentials are masked in every response. */
  readonly credential?: true;
  readonly required?: true;
  readonly minLength?: 1;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: 'uri';
  readonly enum?: readonly string[];
  readonly default?: string;
  /** The form of the address, if the setting is one; DestinationAddresses checks it. */
  readonly address?: AddressForm;
  /** Whether the path of the address may be a token, as for many webhooks; then it is masked. */
  readonly secretPath?: true;
  /** Whether the setting decides the host that receives credentials, as every address does. */
  readonly decidesHost?: true;
}

const API_KEY: Setting = {
  description: 'The API key.',
  example: 'key-0123456789abcdef',
  credential: true,
  required: true,
  minLength: 1,
};

function required(description: string, example: string): Setting {
  return { description, example, required: true, minLength: 1 };
}

function secret(description: string, example: string): Setting {
  return { ...required(description, example), credential: true };
}

function withDefault(description: string, value: string): Setting {
  return { description, example: value, default: value };
}

function address(description: string, value: string): Setting {
  return { ...withDefault(description, value), address: 'url' };
}

/**
 * The connection settings of each type, with the names and bounds of the contract, and which of them are credentials:
 * the only place that decides it. Every type may have `headers` as well, each value of which is a credential.
 *
 * A Sentry DSN is a credential because it carries its key; of a key pair both halves are. A setting that becomes part
 * of an address has a stricter form, so that it cannot change the address.
 */
const SETTINGS = {
  arize: {
    apiKey: API_KEY,
    spaceKey: secret('The key of the space.', 'space-0123456789abcdef'),
    modelId: required('The model id that traces are stored under.', 'gateway'),
    baseUrl: address('The URL that receives traces.', 'https://otlp.arize.com'),
  },
  braintrust: {
    apiKey: API_KEY,
    projectId: required('The project.', 'project-1'),
    baseUrl: address('The URL that receives traces.', 'https://api.braintrust.dev'),
  },
  clickhouse: {
    host: { ...required('The address of the server.', 'https://clickhouse.example.com:8443'), address: 'host' },
    database: required('The database.', 'default'),
    table: withDefault('The table.', 'GATEWAY_TRACES'),
    username: required('The user.', 'gateway'),
    password: secret('The password of the user.', 'correct-horse-battery'),
  },
  datadog: {
    apiKey: API_KEY,
    mlApp: required('The application that traces are stored under.', 'gateway'),
    url: address('The URL that receives traces.', 'https://api.us5.datadoghq.com'),
  },
  grafana: {
    apiKey: API_KEY,
    instanceId: required('The instance.', '123456'),
    baseUrl: address('The URL that receives traces.', 'https://otlp-gateway-prod-us-west-0.grafana.net'),
  },
  langfuse: {
    baseUrl: address('The URL that receives traces.', 'https://us.cloud.langfuse.com'),
    publicKey: secret('The public half of the key pair.', 'pk-lf-0123456789abcdef'),
    secretKey: secret('The secret half of the key pair.', 'sk-lf-0123456789abcdef'),
  },
  langsmith: {
    apiKey: API_KEY,
    endpoint: address('The URL that receives traces.', 'https://api.smith.langchain.com'),
    project: { ...withDefault('The project.', 'main'), minLength: 1 },
    workspaceId: { description: 'The workspace.', example: 'workspace-1' },
  },
  newrelic: {
    licenseKey: secret('The licence key.', 'licence-0123456789abcdef'),
    region: { ...withDefault('The region of the account.', 'us'), enum: ['us', 'eu'], decidesHost: true },
  },
  opik: {
    apiKey: API_KEY,
    workspace: required('The workspace.', 'default'),
    projectName: required('The project.', 'gateway'),
  },
  'otel-collector': {
    endpoint: {
      description: 'The URL that receives traces.',
      example: 'https://otel.example.com/v1/traces',
      required: true,
      address: 'url',
      secretPath: true,
    },
  },
  posthog: {
    apiKey: API_KEY,
    endpoint: address('The URL that receives events.', 'https://us.i.posthog.com'),
  },
  ramp: {
    apiKey: API_KEY,
    baseUrl: address('The URL that receives usage.', 'https://api.ramp.com/developer/v1/ai-usage/gateway'),
  },
  s3: {
    // Both become part of a host name.
    bucketName: {
      ...required('The bucket.', 'gateway-traces'),
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$',
      decidesHost: true,
    },
    region: {
      description: 'The region of the bucket.',
      example: 'eu-central-1',
      pattern: '^[A-Za-z0-9-]+$',
      decidesHost: true,
    },
    endpoint: {
      description: 'The URL of an S3-compatible service other than AWS.',
      example: 'https://s3.example.com',
      format: 'uri',
      address: 'url',
    },
    accessKeyId: secret('The access key id.', 'AKIA0123456789ABCDEF'),
    secretAccessKey: secret('The secret access key.', 'wJalr0123456789abcdef'),
    sessionToken: { description: 'The session token.', example: 'session-0123456789', credential: true },
    prefix: withDefault('The prefix of object names.', 'gateway-traces'),
    pathTemplate: withDefault('The template of object names.', '{prefix}/{date}'),
  },
  sentry: {
    otlpEndpoint: {
      description: 'The URL that receives traces.',
      example: 'https://o1.ingest.sentry.io/api/1/integration/otlp',
      required: true,
      address: 'url',
    },
    dsn: {
      ...secret('The DSN of the project.', 'https://0123456789abcdef@o1.ingest.sentry.io/1'),
      pattern: '^https:\\/\\/([^:@]+)(?::[^@]*)?@([^/]+)(?:\\/[^/]+)*\\/(\\d+)\\/?$',
      address: 'dsn',
    },
  },
  snowflake: {
    account: {
      ...required('The account.', 'organization-account'),
      maxLength: 255,
      pattern: '^[a-zA-Z0-9_]+(?:[.-][a-zA-Z0-9_]+)*$',
      decidesHost: true,
    },
    token: secret('The access token.', 'token-0123456789abcdef'),
    database: withDefault('The database.', 'SNOWFLAKE_LEARNING_DB'),
    schema: withDefault('The schema.', 'PUBLIC'),
    table: withDefault('The table.', 'GATEWAY_TRACES'),
    warehouse: withDefault('The warehouse.', 'COMPUTE_WH'),
  },
  weave: {
    apiKey: API_KEY,
    entity: required('The entity.', 'team'),
    project: required('The project.', 'gateway'),
    baseUrl: address('The URL that receives traces.', 'https://trace.wandb.ai'),
  },
  webhook: {
    url: {
      description: 'The URL that receives traces.',
      example: 'https://hooks.example.com/traces',
      required: true,
      address: 'url',
      secretPath: true,
    },
    method: { ...withDefault('The HTTP method.', 'POST'), enum: ['POST', 'PUT'] },
    signingSecret: {
      description:
        'Secrets that sign deliveries (Standard Webhooks), separated by spaces: while one is replaced, the new one and the old one.',
      example: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz',
      credential: true,
      pattern: '^whsec_[A-Za-z0-9+/]{32,88}={0,2}( whsec_[A-Za-z0-9+/]{32,88}={0,2}){0,3}$',
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, Setting>>>>;

/** A kind of destination (docs/interface/destinations.md#types). */
export type DestinationType = keyof typeof SETTINGS;

/** The kinds of destination, in the order of their names. */
export const DESTINATION_TYPES = Object.keys(SETTINGS) as DestinationType[];

export const DESTINATION_SETTINGS: Readonly<Record<DestinationType, Readonly<Record<string, Setting>>>> = SETTINGS;
