import { issueOfAddedPath } from '../addresses/added-path.js';
import { validateDto } from '../../../http/validation/validate.js';
import { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import { isApiKey, isBaseUrl, withoutSlash } from '../../../config/provider-variables.js';
import type { UpstreamTimeouts } from '../../codecs/upstream-codec.js';
import { type CredentialScheme, isStored } from '../credentials/credential-scheme.js';
import { issueOfSecret } from '../credentials/credential-secret.js';
import { issueOfFederation } from '../credentials/google-tokens.js';
import type { ProviderConnectionEntity } from '../entities/provider-connection.entity.js';
import {
  CONNECTION_PRESETS,
  type ConnectionPreset,
  type CredentialName,
  type PresetSetting,
  type PresetSettings,
  schemeOf,
  SETTING_FORMS,
} from './connection-presets.js';
import { ECHO_PROVIDER, MAXIMUM_TIMEOUT_MS } from './provider-connection.js';
import { ADDRESSES_OF_ACCOUNTS, type ProviderAddress, WELL_KNOWN_PROVIDERS } from './well-known-providers.js';

/** A connection as an operator asks for it. */
export interface ConnectionRequest {
  readonly provider: string;
  readonly protocol?: ProviderAddress['protocol'];
  readonly baseUrl?: string;
  /** The name of a preset, with what it has to be told. */
  readonly preset?: string;
  readonly settings?: PresetSettings;
  /** How the provider is shown who calls; undefined for the default of the preset, or an API key. */
  readonly credential?: CredentialName;
  /** The secret: an API key, or a document. Null where there is none. */
  readonly apiKey: string | null;
  /** Milliseconds. */
  readonly timeouts: Partial<UpstreamTimeouts>;
  /** The provider's own names of models, by any of their names in the catalog. */
  readonly models: Readonly<Record<string, string>>;
  /** What the server can do, as the catalog says it of models; absent for nothing. */
  readonly capabilities?: object;
}

/** The most models that a connection may name, and the longest name that a provider may have for one. */
export const MAXIMUM_MODELS = 1_000;
const MAXIMUM_MODEL_NAME = 512;

/** The field of a request by the interface for each setting of a preset. */
const SETTING_FIELDS = {
  resource: 'resource',
  apiVersion: 'api_version',
  region: 'region',
  project: 'project',
  location: 'location',
  tenantId: 'tenant_id',
  clientId: 'client_id',
} as const satisfies Readonly<Record<PresetSetting, string>>;

/** The fields of a request by the interface (docs/interface/provider-connections.md#connect). */
export type ConnectionField =
  | (typeof SETTING_FIELDS)[PresetSetting]
  | 'provider'
  | 'protocol'
  | 'base_url'
  | 'preset'
  | 'credential'
  | 'api_key'
  | 'models'
  | 'timeouts'
  | 'capabilities';

/** Where a provider is, and how it is shown who calls. */
export type ConnectionAddress = Pick<
  ProviderConnectionEntity,
  'protocol' | 'baseUrl' | 'preset' | 'address' | 'credential'
>;

/** A connection cannot be stored as asked. It never repeats the credential. */
export class InvalidConnection extends Error {
  /**
   * @param field what is wrong
   * @param problem what is wrong with it, after its name
   * @param message the same for the command line, with the option that helps
   */
  constructor(
    readonly field: ConnectionField,
    readonly problem: string,
    message: string,
  ) {
    super(message);
  }
}

/** Whether a text has the form of the id of a provider. */
export function isProviderId(text: string): boolean {
  return text.length <= 100 && /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(text);
}

/**
 * The address that a request gives, or the well-known one of the provider.
 *
 * @param isNewProvider whether the catalog does not have the provider
 * @throws InvalidConnection for what no connection can have
 */
export function addressOf(request: ConnectionRequest, isNewProvider: boolean): ConnectionAddress {
  const { provider, timeouts, models, capabilities } = request;
  if (provider === ECHO_PROVIDER) {
    throw new InvalidConnection(
      'provider',
      'is the builtin provider',
      `${provider} is the builtin provider: ECHO_PROVIDER=off removes it.`,
    );
  }
  if (isNewProvider) requireNewProvider(request);
  for (const [step, milliseconds] of Object.entries(timeouts)) {
    if (!Number.isInteger(milliseconds) || milliseconds < 1 || milliseconds > MAXIMUM_TIMEOUT_MS) {
      const form = `must be a whole number from 1 to ${MAXIMUM_TIMEOUT_MS} milliseconds`;
      throw new InvalidConnection('timeouts', form, `The timeout ${step} ${form}.`);
    }
  }
  const [issue] = capabilities === undefined ? [] : validateDto(ModelCapabilities, capabilities);
  if (issue !== undefined) {
    const problem = `${issue.path} ${issue.message}`;
    throw new InvalidConnection(
      'capabilities',
      `are not valid: ${problem}`,
      `The capabilities are not valid: ${problem}.`,
    );
  }
  const names = Object.values(models);
  if (names.length > MAXIMUM_MODELS) {
    const limit = `${MAXIMUM_MODELS} models`;
    throw new InvalidConnection('models', `must name at most ${limit}`, `At most ${limit} can be named.`);
  }
  if (names.some((name) => name === '' || name.length > MAXIMUM_MODEL_NAME)) {
    const form = `must have 1 to ${MAXIMUM_MODEL_NAME} characters`;
    throw new InvalidConnection('models', `have a name that ${form}`, `The provider's name of a model ${form}.`);
  }
  if (request.preset !== undefined) return presetAddress(request, request.preset);
  if (request.credential !== undefined) {
    throw new InvalidConnection(
      'credential',
      'belongs to a preset',
      'A credential of a cloud belongs to a preset: give --preset NAME.',
    );
  }
  const { apiKey } = request;
  if (apiKey !== null && !isApiKey(apiKey)) {
    const form = 'must be printable ASCII characters without spaces, at most 4096';
    throw new InvalidConnection('api_key', form, `The API key ${form}.`);
  }
  return { ...requestedAddress(request), preset: null, address: null, credential: null };
}

function presetAddress(request: ConnectionRequest, name: string): ConnectionAddress {
  const preset = CONNECTION_PRESETS.get(name);
  if (preset === undefined) {
    const names = [...CONNECTION_PRESETS.keys()].join(', ');
    throw new InvalidConnection('preset', `must be one of ${names}`, `There is no preset ${name}, but ${names}.`);
  }
  if (request.protocol !== undefined) {
    throw new InvalidConnection('protocol', 'is that of the preset', `The preset ${name} has its protocol.`);
  }
  const { settings = {}, apiKey, baseUrl } = request;
  for (const setting of preset.needs) {
    if (settings[setting] === undefined) {
      throw new InvalidConnection(
        SETTING_FIELDS[setting],
        `is needed by the preset ${name}`,
        `The preset ${name} needs ${preset.needs.map(optionOf).join(' and ')}.`,
      );
    }
  }
  for (const [setting, value] of Object.entries(settings) as [PresetSetting, string][]) {
    if (!SETTING_FORMS[setting].test(value)) {
      const problem = 'does not have the form of one';
      throw new InvalidConnection(SETTING_FIELDS[setting], problem, `${optionOf(setting)} ${problem}.`);
    }
  }
  const credential = credentialOf(preset, name, request);
  requireBaseUrl(baseUrl);
  const given = settings as Required<PresetSettings>;
  requireSecret(credential, apiKey);
  return {
    protocol: preset.dialect,
    baseUrl: withoutSlash(baseUrl ?? preset.baseUrl(given)),
    preset: name,
    address: preset.address?.(given) ?? null,
    credential,
  };
}

function credentialOf(preset: ConnectionPreset, presetName: string, request: ConnectionRequest): CredentialScheme {
  const { credential: name = preset.credentials[0]!, settings = {} } = request;
  if (!preset.credentials.includes(name)) {
    const names = preset.credentials.join(', ');
    throw new InvalidConnection(
      'credential',
      `must be one of those of the preset: ${names}`,
      `The preset ${presetName} takes the credentials ${names}.`,
    );
  }
  return schemeOf(name, preset, settings);
}

/** @throws InvalidConnection for a secret that is missing, is too much, or does not have the form that the scheme wants */
function requireSecret(scheme: CredentialScheme, secret: string | null): void {
  const isNeeded = isStored(scheme) || isConfigured(scheme);
  if (secret === null) {
    if (isNeeded) {
      throw new InvalidConnection(
        'api_key',
        'is required',
        'The credential is missing: give --api-key-env, --api-key-stdin or --credential-file.',
      );
    }
    return;
  }
  if (!isNeeded) {
    const origin = 'comes from the machine';
    throw new InvalidConnection('api_key', origin, `This credential ${origin}: give no secret.`);
  }
  const issue = isConfigured(scheme) ? issueOfFederation(secret) : issueOfSecret(scheme, secret);
  if (issue !== undefined) throw new InvalidConnection('api_key', issue, `The credential ${issue}.`);
}

function isConfigured(scheme: CredentialScheme): boolean {
  return scheme.scheme === 'google' && scheme.source === 'federation';
}

/** @throws InvalidConnection for what is no base URL */
function requireBaseUrl(baseUrl: string | undefined): void {
  if (baseUrl === undefined) return;
  const added = issueOfAddedPath(baseUrl);
  if (isBaseUrl(baseUrl) && added === undefined) return;
  const form = added ?? 'must be an http or https URL without user, query and fragment';
  throw new InvalidConnection('base_url', form, `The base URL ${form}.`);
}

/** The option of the command line for a setting. */
function optionOf(setting: PresetSetting): string {
  return `--${setting.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function addressWanted(provider: string): string {
  const own = ADDRESSES_OF_ACCOUNTS.get(provider);
  return own === undefined
    ? `The address of ${provider} is not known: give --base-url URL.`
    : `The address of ${provider} is that of your account: give --base-url ${own.baseUrl} (docs/cloud-providers.md#${own.heading}).`;
}

/** A provider that the catalog lacks is a server of the operator's own, or a misspelled name. */
function requireNewProvider({ provider, baseUrl, preset }: ConnectionRequest): void {
  if (!isProviderId(provider)) {
    const form = 'made of small letters, digits, and hyphens or dots between them, as my-vllm';
    throw new InvalidConnection('provider', `must be ${form}`, `The id of a provider is ${form}.`);
  }
  if (baseUrl === undefined && preset === undefined) {
    throw new InvalidConnection(
      'base_url',
      'is required for a provider that the catalog does not have',
      `The catalog has no provider ${provider}. For a server of your own, give its address: --base-url URL`,
    );
  }
}

function requestedAddress({ provider, protocol, baseUrl, apiKey }: ConnectionRequest): ProviderAddress {
  const known = WELL_KNOWN_PROVIDERS.get(provider);
  if (baseUrl === undefined) {
    if (known === undefined) throw new InvalidConnection('base_url', 'is required', addressWanted(provider));
    if (apiKey === null) {
      throw new InvalidConnection(
        'api_key',
        'is required',
        `${provider} wants an API key: give --api-key-env or --api-key-stdin.`,
      );
    }
    return { baseUrl: known.baseUrl, protocol: protocol ?? known.protocol };
  }
  requireBaseUrl(baseUrl);
  return { baseUrl: withoutSlash(baseUrl), protocol: protocol ?? known?.protocol ?? 'openai' };
}
