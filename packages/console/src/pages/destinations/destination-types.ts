import type { Schema } from '../../api/types';
import type { Option } from '../../components/fields';

/** A destination as answers have it; its type says what its `config` has. */
export type Destination = Schema<'GetObservabilityDestinationResponse'>['data'];

export type DestinationType = Destination['type'];

/** One of the settings of a type, as the form has it. */
export interface SettingForm {
  readonly label: string;
  readonly hint?: string;
  /** What is typed into a secret is not shown, and of an address its path may be one. Both are read as masks, and never kept. */
  readonly kind?: 'address' | 'secret' | 'secret-address';
  /** What can be chosen; the first is chosen where nothing is said. */
  readonly options?: readonly Option[];
  readonly isRequired?: true;
}

type ConfigOf<Type extends DestinationType> = Extract<Destination, { readonly type: Type }>['config'];

/** A form for each setting that the document has, but for the headers that each type has: the compiler names what is missing, and what is not required. */
type SettingsOf<Config> = {
  readonly [Name in Exclude<keyof Config, 'headers'>]: SettingForm &
    (object extends Pick<Config, Name> ? { readonly isRequired?: never } : { readonly isRequired: true });
};

type TypeForms = {
  readonly [Type in DestinationType]: { readonly label: string; readonly settings: SettingsOf<ConfigOf<Type>> };
};

const API_KEY = { label: 'API key', kind: 'secret', isRequired: true } as const satisfies SettingForm;

/** An address that has a usual one. */
function address(usual: string, label = 'Address'): SettingForm & { readonly isRequired?: never } {
  return { label, kind: 'address', hint: `Empty: ${usual}` };
}

function withDefault(label: string, value: string): SettingForm & { readonly isRequired?: never } {
  return { label, hint: `Empty: ${value}` };
}

const FORMS: TypeForms = {
  'otel-collector': {
    label: 'OpenTelemetry collector',
    settings: {
      endpoint: {
        label: 'Address that receives traces',
        kind: 'secret-address',
        hint: 'Whole, as https://otel.example.com/v1/traces.',
        isRequired: true,
      },
    },
  },
  webhook: {
    label: 'Webhook',
    settings: {
      url: { label: 'Address', kind: 'secret-address', isRequired: true },
      method: {
        label: 'HTTP method',
        options: [
          ['POST', 'POST'],
          ['PUT', 'PUT'],
        ],
      },
      signingSecret: {
        label: 'Secret that signs deliveries',
        kind: 'secret',
        hint: 'whsec_ and Base64. While one is replaced, the new one and the old one, separated by a space.',
      },
    },
  },
  arize: {
    label: 'Arize',
    settings: {
      apiKey: API_KEY,
      spaceKey: { label: 'Key of the space', kind: 'secret', isRequired: true },
      modelId: { label: 'Model id that traces are stored under', isRequired: true },
      baseUrl: address('https://otlp.arize.com'),
    },
  },
  braintrust: {
    label: 'Braintrust',
    settings: {
      apiKey: API_KEY,
      projectId: { label: 'Project', isRequired: true },
      baseUrl: address('https://api.braintrust.dev'),
    },
  },
  clickhouse: {
    label: 'ClickHouse',
    settings: {
      host: { label: 'Address of the server', hint: 'As https://clickhouse.example.com:8443.', isRequired: true },
      database: { label: 'Database', isRequired: true },
      table: withDefault('Table', 'GATEWAY_TRACES'),
      username: { label: 'User', isRequired: true },
      password: { label: 'Password of the user', kind: 'secret', isRequired: true },
    },
  },
  datadog: {
    label: 'Datadog',
    settings: {
      apiKey: API_KEY,
      mlApp: { label: 'Application that traces are stored under', isRequired: true },
      url: address('https://api.us5.datadoghq.com'),
    },
  },
  grafana: {
    label: 'Grafana',
    settings: {
      apiKey: API_KEY,
      instanceId: { label: 'Instance', isRequired: true },
      baseUrl: address('https://otlp-gateway-prod-us-west-0.grafana.net'),
    },
  },
  langfuse: {
    label: 'Langfuse',
    settings: {
      publicKey: { label: 'Public half of the key pair', kind: 'secret', isRequired: true },
      secretKey: { label: 'Secret half of the key pair', kind: 'secret', isRequired: true },
      baseUrl: address('https://us.cloud.langfuse.com'),
    },
  },
  langsmith: {
    label: 'LangSmith',
    settings: {
      apiKey: API_KEY,
      endpoint: address('https://api.smith.langchain.com'),
      project: withDefault('Project', 'main'),
      workspaceId: { label: 'Workspace of LangSmith' },
    },
  },
  newrelic: {
    label: 'New Relic',
    settings: {
      licenseKey: { label: 'Licence key', kind: 'secret', isRequired: true },
      region: {
        label: 'Region of the account',
        options: [
          ['us', 'us'],
          ['eu', 'eu'],
        ],
      },
    },
  },
  opik: {
    label: 'Opik',
    settings: {
      apiKey: API_KEY,
      workspace: { label: 'Workspace of Opik', isRequired: true },
      projectName: { label: 'Project', isRequired: true },
    },
  },
  posthog: {
    label: 'PostHog',
    settings: { apiKey: API_KEY, endpoint: address('https://us.i.posthog.com') },
  },
  ramp: {
    label: 'Ramp',
    settings: { apiKey: API_KEY, baseUrl: address('https://api.ramp.com/developer/v1/ai-usage/gateway') },
  },
  s3: {
    label: 'S3',
    settings: {
      bucketName: { label: 'Bucket', isRequired: true },
      region: { label: 'Region of the bucket', hint: 'As eu-central-1.' },
      accessKeyId: { label: 'Access key id', kind: 'secret', isRequired: true },
      secretAccessKey: { label: 'Secret access key', kind: 'secret', isRequired: true },
      sessionToken: { label: 'Session token', kind: 'secret' },
      endpoint: { label: 'Address of another service than AWS', kind: 'address' },
      prefix: withDefault('Prefix of the names of objects', 'gateway-traces'),
      pathTemplate: withDefault('Template of the names of objects', '{prefix}/{date}'),
    },
  },
  sentry: {
    label: 'Sentry',
    settings: {
      otlpEndpoint: { label: 'Address that receives traces', kind: 'address', isRequired: true },
      dsn: { label: 'DSN of the project', kind: 'secret', isRequired: true },
    },
  },
  snowflake: {
    label: 'Snowflake',
    settings: {
      account: { label: 'Account', isRequired: true },
      token: { label: 'Access token', kind: 'secret', isRequired: true },
      database: withDefault('Database', 'SNOWFLAKE_LEARNING_DB'),
      schema: withDefault('Schema', 'PUBLIC'),
      table: withDefault('Table', 'GATEWAY_TRACES'),
      warehouse: withDefault('Warehouse', 'COMPUTE_WH'),
    },
  },
  weave: {
    label: 'Weave',
    settings: {
      apiKey: API_KEY,
      entity: { label: 'Entity', isRequired: true },
      project: { label: 'Project', isRequired: true },
      baseUrl: address('https://trace.wandb.ai'),
    },
  },
};

/** The types as a choice. */
export const TYPE_OPTIONS: readonly Option[] = Object.entries(FORMS).map(([type, { label }]) => [type, label]);

/** What people call a type. */
export function labelOfType(type: DestinationType): string {
  return FORMS[type].label;
}

/** The settings of a type, by their names in `config`, in the order of the form. */
export function settingsOf(type: DestinationType): readonly (readonly [name: string, form: SettingForm])[] {
  return Object.entries(FORMS[type].settings as Readonly<Record<string, SettingForm>>);
}

/** Whether what is typed into a setting may be a secret. */
export function isSecret({ kind }: SettingForm): boolean {
  return kind === 'secret' || kind === 'secret-address';
}
