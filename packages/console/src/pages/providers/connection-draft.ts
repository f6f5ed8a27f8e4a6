import type { Schema } from '../../api/types';
import { pairsOf, textOfPairs } from '../../components/lines';

type Request = Schema<'ConnectProviderRequest'>;

/** The key of the operator, as requests show it beside the session. */
export type OperatorHeaders = Readonly<Record<'Authorization', string>>;

/** A way in which a cloud serves models. */
export type Preset = NonNullable<Request['preset']>;

/** What a preset is told of an account. */
export type Setting = 'resource' | 'api_version' | 'region' | 'project' | 'location' | 'tenant_id' | 'client_id';

type Credential = NonNullable<Request['credential']>;

/** How a cloud is shown who calls. */
interface Cloud {
  readonly settings: readonly Setting[];
  readonly credentials: readonly Credential[];
}

const AZURE: Cloud = {
  settings: ['resource'],
  credentials: ['key', 'entra-client-secret', 'entra-certificate'],
};
const BEDROCK: Cloud = { settings: ['region'], credentials: ['key', 'aws-keys'] };
const VERTEX: Cloud = { settings: ['project', 'location'], credentials: ['google-service-account'] };

/** What is asked for each preset. The compiler demands those of the document, and of no other. */
export const PRESETS: Readonly<Record<Preset, Cloud>> = {
  'azure-openai': AZURE,
  'azure-openai-dated': { ...AZURE, settings: ['resource', 'api_version'] },
  'azure-claude': AZURE,
  bedrock: BEDROCK,
  'bedrock-claude': BEDROCK,
  'bedrock-messages': BEDROCK,
  'bedrock-openai': BEDROCK,
  vertex: VERTEX,
  'vertex-claude': VERTEX,
  'vertex-openai': VERTEX,
  gemini: { settings: [], credentials: ['key'] },
};

/** The settings of an application of Entra ID, for a credential of it. */
const OF_ENTRA: readonly Setting[] = ['tenant_id', 'client_id'];

/** A step whose time is limited. */
export type Step = keyof Schema<'ConnectionTimeouts'>;

/** What stands in the form, but for the credential, which is not kept. */
export interface ConnectionDraft {
  readonly provider: string;
  /** Empty for a well-known provider, or a server that has a dialect. */
  readonly preset: Preset | '';
  readonly protocol: string;
  readonly baseUrl: string;
  readonly settings: Partial<Readonly<Record<Setting, string>>>;
  readonly credential: Credential | '';
  /** Whether the server wants no credential. */
  readonly isOpen: boolean;
  /** `model=name`, one a line. */
  readonly models: string;
  readonly timeouts: Partial<Readonly<Record<Step, number | null>>>;
  /** A JSON object, or an empty text. */
  readonly capabilities: string;
}

/** What a new connection has at first. */
export const NEW_CONNECTION: ConnectionDraft = {
  provider: '',
  preset: '',
  protocol: '',
  baseUrl: '',
  settings: {},
  credential: '',
  isOpen: false,
  models: '',
  timeouts: {},
  capabilities: '',
};

/** What is known of a connection that is made anew. The interface does not say of which account a preset was made. */
export function draftOf(connection: Schema<'ProviderConnection'>): ConnectionDraft {
  const { provider, protocol, base_url: baseUrl, preset, credential, models, timeouts, capabilities } = connection;
  const known = preset !== null && Object.hasOwn(PRESETS, preset) ? (preset as Preset) : '';
  return {
    ...NEW_CONNECTION,
    provider,
    preset: known,
    ...(known === '' && { protocol, baseUrl }),
    credential:
      known !== '' && PRESETS[known].credentials.some((one) => one === credential) ? (credential as Credential) : '',
    models: textOfPairs(Object.fromEntries(models.map(({ model, upstream_model_id: name }) => [model, name]))),
    timeouts,
    capabilities: Object.keys(capabilities).length === 0 ? '' : JSON.stringify(capabilities, null, 2),
  };
}

/** The settings that a draft asks for. */
export function settingsAsked({ preset, credential }: ConnectionDraft): readonly Setting[] {
  if (preset === '') return [];
  return [...PRESETS[preset].settings, ...(credential.startsWith('entra-') ? OF_ENTRA : [])];
}

/**
 * The request of a draft.
 *
 * @param secret an empty text to keep the stored one
 * @throws SyntaxError for capabilities that are no JSON
 */
export function toRequest(draft: ConnectionDraft, secret: string): Request {
  const { preset, protocol, baseUrl, credential } = draft;
  const timeouts = Object.entries(draft.timeouts).filter(([, limit]) => limit !== null);
  const models = Object.entries(pairsOf(draft.models)).map(([model, name]) => ({ model, upstream_model_id: name }));
  const settings = settingsAsked(draft).map((name) => [name, draft.settings[name]?.trim() ?? ''] as const);
  return {
    ...(preset !== '' && { preset, ...(credential !== '' && { credential }) }),
    ...(preset === '' && protocol !== '' && { protocol: protocol as NonNullable<Request['protocol']> }),
    ...(baseUrl.trim() !== '' && { base_url: baseUrl.trim() }),
    ...(Object.fromEntries(settings.filter(([, value]) => value !== '')) as Partial<Record<Setting, string>>),
    ...(draft.isOpen ? { api_key: null } : secret !== '' && { api_key: secret }),
    ...(models.length > 0 && { models }),
    // The document demands all of them where the service takes some.
    ...(timeouts.length > 0 && { timeouts: Object.fromEntries(timeouts) as Schema<'ChangedConnectionTimeouts'> }),
    ...(draft.capabilities.trim() !== '' && {
      capabilities: JSON.parse(draft.capabilities) as NonNullable<Request['capabilities']>,
    }),
  };
}
