import { amazonDomainOf } from '../../../http/addresses/amazon-domain.js';
import type { UpstreamDialect } from '../../codecs/upstream-codecs.js';
import type { AddressForm } from '../addresses/operation-address.js';
import type { CredentialScheme } from '../credentials/credential-scheme.js';

/** What a preset is told of an account in a cloud. */
export interface PresetSettings {
  readonly resource?: string;
  /** The version of a dated address of Azure. */
  readonly apiVersion?: string;
  readonly region?: string;
  readonly project?: string;
  readonly location?: string;
  /** Of Entra ID: the tenant and the application, or the identity that the machine has. */
  readonly tenantId?: string;
  readonly clientId?: string;
}

/** The name of a setting of an account. */
export type PresetSetting = keyof PresetSettings;

/** Which models are served at an address, and by what names (docs/providers.md#names-of-models). */
export interface ServedModels {
  /** Whether models of an author are; absent where those of all authors may be. */
  readonly isAuthor?: (author: string) => boolean;
  /** The form of names: a slug of another form is no name there. Absent where any slug may be one. */
  readonly nameForm?: RegExp;
}

/** How a cloud serves models: dialect, address and credential (docs/cloud-providers.md#presets). */
export interface ConnectionPreset {
  /** The slug of the provider in the catalog, unless another one is given. */
  readonly provider: string;
  readonly dialect: UpstreamDialect;
  /** The settings without which it has no address. */
  readonly needs: readonly PresetSetting[];
  /** The ways to show who calls; the first one is the default. */
  readonly credentials: readonly CredentialName[];
  /** The header of an API key, in lower case. */
  readonly keyHeader: string;
  readonly baseUrl: (settings: Required<PresetSettings>) => string;
  readonly serves: ServedModels;
  /** Absent where operations are added to the base URL. */
  readonly address?: (settings: Required<PresetSettings>) => AddressForm;
}

/** The ways to show a provider who calls, by their names on the command line. */
export const CREDENTIAL_NAMES = [
  'key',
  'aws-keys',
  'aws-web-identity',
  'aws-container',
  'aws-instance',
  'google-service-account',
  'google-federation',
  'google-metadata',
  'entra-client-secret',
  'entra-certificate',
  'entra-federated',
  'entra-managed-identity',
] as const;

/** The name of a way to show a provider who calls. */
export type CredentialName = (typeof CREDENTIAL_NAMES)[number];

/** The forms of settings, which become parts of addresses. */
export const SETTING_FORMS: Readonly<Record<PresetSetting, RegExp>> = {
  resource: /^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/,
  apiVersion: /^\d{4}-\d{2}-\d{2}(?:-preview)?$/,
  region: /^[a-z0-9][a-z0-9-]{0,62}$/,
  project: /^[a-z0-9][a-z0-9.:-]{0,62}$/,
  location: /^[a-z][a-z0-9-]{0,62}$/,
  tenantId: /^[A-Za-z0-9][A-Za-z0-9.-]{0,127}$/,
  clientId: /^[A-Za-z0-9-]{1,127}$/,
};

const ENTRA = ['entra-client-secret', 'entra-certificate', 'entra-federated', 'entra-managed-identity'] as const;
const AWS = ['aws-keys', 'aws-web-identity', 'aws-container', 'aws-instance'] as const;
const GOOGLE = ['google-service-account', 'google-federation', 'google-metadata'] as const;

const isClaude = (author: string): boolean => author === 'anthropic';
const isGoogle = (author: string): boolean => author === 'google';

/** A model has a vendor and a name there, such as `amazon.nova-lite-v1:0`; the point in `claude-opus-4.7` is none. */
const BEDROCK_ID = /^[a-z0-9-]+\.[a-z]/;

/** A model has a publisher and a name there, such as `meta/llama-3.3-70b-instruct-maas`. */
const PUBLISHED_NAME = /^[^/]+\/[^/]+$/;

const azure = { provider: 'azure', needs: ['resource'], credentials: ['key', ...ENTRA], keyHeader: 'api-key' } as const;
const bedrock = {
  provider: 'amazon-bedrock',
  needs: ['region'],
  credentials: ['key', ...AWS],
  keyHeader: 'authorization',
} as const;
const vertex = {
  provider: 'google-vertex',
  needs: ['project', 'location'],
  credentials: GOOGLE,
  keyHeader: 'authorization',
  baseUrl: ({ location }: Required<PresetSettings>) => `https://${vertexHost(location)}/v1`,
  address: ({ project, location }: Required<PresetSettings>): AddressForm => ({ form: 'vertex', project, location }),
} as const;

const openAiResource = ({ resource }: Required<PresetSettings>): string =>
  `https://${resource}.openai.azure.com/openai`;
const bedrockRuntime = ({ region }: Required<PresetSettings>): string =>
  `https://bedrock-runtime.${region}.${amazonDomainOf(region)}`;

export const CONNECTION_PRESETS: ReadonlyMap<string, ConnectionPreset> = new Map<string, ConnectionPreset>([
  [
    'azure-openai',
    {
      ...azure,
      dialect: 'openai',
      serves: { isAuthor: (author) => !isClaude(author) },
      baseUrl: (settings) => `${openAiResource(settings)}/v1`,
    },
  ],
  [
    'azure-openai-dated',
    {
      ...azure,
      dialect: 'openai',
      serves: { isAuthor: (author) => !isClaude(author) },
      needs: ['resource', 'apiVersion'],
      baseUrl: openAiResource,
      address: ({ apiVersion }) => ({ form: 'azure-deployment', apiVersion }),
    },
  ],
  [
    'azure-claude',
    {
      ...azure,
      provider: 'azure-claude',
      dialect: 'anthropic',
      serves: { isAuthor: isClaude },
      keyHeader: 'x-api-key',
      baseUrl: ({ resource }) => `https://${resource}.services.ai.azure.com/anthropic/v1`,
    },
  ],
  ['bedrock', { ...bedrock, dialect: 'converse', serves: { nameForm: BEDROCK_ID }, baseUrl: bedrockRuntime }],
  [
    'bedrock-claude',
    {
      ...bedrock,
      provider: 'amazon-bedrock-claude',
      dialect: 'anthropic',
      serves: { isAuthor: isClaude, nameForm: BEDROCK_ID },
      baseUrl: bedrockRuntime,
      address: () => ({ form: 'bedrock-invoke' }),
    },
  ],
  [
    'bedrock-messages',
    {
      ...bedrock,
      provider: 'amazon-bedrock-messages',
      dialect: 'anthropic',
      serves: { isAuthor: isClaude, nameForm: BEDROCK_ID },
      baseUrl: (settings) => `${bedrockRuntime(settings)}/anthropic/v1`,
    },
  ],
  [
    'bedrock-openai',
    {
      ...bedrock,
      provider: 'amazon-bedrock-openai',
      dialect: 'openai',
      serves: { nameForm: BEDROCK_ID },
      baseUrl: (settings) => `${bedrockRuntime(settings)}/openai/v1`,
    },
  ],
  ['vertex', { ...vertex, dialect: 'gemini', serves: { isAuthor: isGoogle } }],
  [
    'vertex-claude',
    { ...vertex, provider: 'google-vertex-claude', dialect: 'anthropic', serves: { isAuthor: isClaude } },
  ],
  [
    'vertex-openai',
    { ...vertex, provider: 'google-vertex-openai', dialect: 'openai', serves: { nameForm: PUBLISHED_NAME } },
  ],
  [
    'gemini',
    {
      provider: 'google-ai-studio',
      dialect: 'gemini',
      serves: { isAuthor: isGoogle },
      needs: [],
      credentials: ['key'],
      keyHeader: 'x-goog-api-key',
      baseUrl: () => 'https://generativelanguage.googleapis.com/v1beta',
    },
  ],
]);

/** What a token of Entra ID is for. */
const ENTRA_RESOURCE = 'https://cognitiveservices.azure.com';

/** The scheme of a way to show who calls. */
export function schemeOf(
  name: CredentialName,
  { keyHeader }: Pick<ConnectionPreset, 'keyHeader'>,
  { region = '', tenantId, clientId }: PresetSettings,
): CredentialScheme {
  const dash = name.indexOf('-');
  const cloud = dash < 0 ? 'key' : name.slice(0, dash);
  const source = name.slice(dash + 1) as never;
  switch (cloud) {
    case 'aws':
      return { scheme: 'aws', source, region, service: 'bedrock' };
    case 'google':
      return { scheme: 'google', source };
    case 'entra':
      return {
        scheme: 'entra',
        source,
        resource: ENTRA_RESOURCE,
        ...(tenantId !== undefined && { tenantId }),
        ...(clientId !== undefined && { clientId }),
      };
    default:
      return { scheme: 'key-header', header: keyHeader };
  }
}

/** The name of the way in which a scheme shows who calls. */
export function credentialNameOf(scheme: CredentialScheme): CredentialName {
  return scheme.scheme === 'key-header' ? 'key' : (`${scheme.scheme}-${scheme.source}` as CredentialName);
}

/** The host of Vertex for a location: one of the world, of a continent, or of a region. */
function vertexHost(location: string): string {
  if (location === 'global') return 'aiplatform.googleapis.com';
  if (location === 'us' || location === 'eu') return `aiplatform.${location}.rep.googleapis.com`;
  return `${location}-aiplatform.googleapis.com`;
}
