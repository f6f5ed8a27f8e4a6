import { validateDto } from '../../../http/validation/validate.js';
import { ModelCapabilities } from '../../catalog/index.js';
import { isApiKey, isBaseUrl, withoutSlash } from '../../../config/provider-variables.js';
import type { UpstreamTimeouts } from '../../codecs/index.js';
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
const MAXIMUM_MODELS = 1_000;
const MAXIMUM_MODEL_NAME = 512;

const BASE_URL_MESSAGE = 'The base URL must be an http or https URL without user, query and fragment.';

/** Where a provider is, and how it is shown who calls. */
export type ConnectionAddress = Pick<
  ProviderConnectionEntity,
  'protocol' | 'baseUrl' | 'preset' | 'address' | 'credential'
>;

/** A connection cannot be stored as asked; the message says why, and never repeats the credential. */
export class InvalidConnection extends Error {}

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
    throw new InvalidConnection(`${provider} is the builtin provider: ECHO_PROVIDER=off removes it.`);
  }
  if (isNewProvider) requireNewProvider(request);
  for (const [step, milliseconds] of Object.entries(timeouts)) {
    if (!Number.isInteger(milliseconds) || milliseconds < 1 || milliseconds > MAXIMUM_TIMEOUT_MS) {
      throw new InvalidConnection(
        `The timeout ${step} must be a whole number from 1 to ${MAXIMUM_TIMEOUT_MS} milliseconds.`,
      );
    }
  }
  const [issue] = capabilities === undefined ? [] : validateDto(ModelCapabilities, capabilities);
  if (issue !== undefined) {
    throw new InvalidConnection(`The capabilities are not valid: ${issue.path} ${issue.message}.`);
  }
  const names = Object.values(models);
  if (names.length > MAXIMUM_MODELS) throw new InvalidConnection(`At most ${MAXIMUM_MODELS} models can be named.`);
  if (names.some((name) => name === '' || name.length > MAXIMUM_MODEL_NAME)) {
    throw new InvalidConnection(`The provider's name of a model must have 1 to ${MAXIMUM_MODEL_NAME} characters.`);
  }
  if (request.preset !== undefined) return presetAddress(request, request.preset);
  if (request.credential !== undefined) {
    throw new InvalidConnection('A credential of a cloud belongs to a preset: give --preset NAME.');
  }
  const { apiKey } = request;
  if (apiKey !== null && !isApiKey(apiKey)) {
    throw new InvalidConnection('The API key must be printable ASCII characters without spaces, at most 4096.');
  }
  return { ...requestedAddress(request), preset: null, address: null, credential: null };
}

/** The address of a cloud for an account. */
function presetAddress(request: ConnectionRequest, name: string): ConnectionAddress {
  const preset = CONNECTION_PRESETS.get(name);
  if (preset === undefined) {
    throw new InvalidConnection(`There is no preset ${name}, but ${[...CONNECTION_PRESETS.keys()].join(', ')}.`);
  }
  if (request.protocol !== undefined) throw new InvalidConnection(`The preset ${name} has its protocol.`);
  const { settings = {}, apiKey, baseUrl } = request;
  for (const setting of preset.needs) {
    if (settings[setting] === undefined) {
      throw new InvalidConnection(`The preset ${name} needs ${preset.needs.map(optionOf).join(' and ')}.`);
    }
  }
  for (const [setting, value] of Object.entries(settings) as [PresetSetting, string][]) {
    if (!SETTING_FORMS[setting].test(value)) {
      throw new InvalidConnection(`${optionOf(setting)} does not have the form of one.`);
    }
  }
  const credential = credentialOf(preset, name, request);
  if (baseUrl !== undefined && !isBaseUrl(baseUrl)) throw new InvalidConnection(BASE_URL_MESSAGE);
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
    throw new InvalidConnection(`The preset ${presetName} takes the credentials ${preset.credentials.join(', ')}.`);
  }
  return schemeOf(name, preset, settings);
}

/** @throws InvalidConnection for a secret that is missing, is too much, or does not have the form that the scheme wants */
function requireSecret(scheme: CredentialScheme, secret: string | null): void {
  const isNeeded = isStored(scheme) || isConfigured(scheme);
  if (secret === null) {
    if (isNeeded)
      throw new InvalidConnection(
        'The credential is missing: give --api-key-env, --api-key-stdin or --credential-file.',
      );
    return;
  }
  if (!isNeeded) throw new InvalidConnection('This credential comes from the machine: give no secret.');
  const issue = isConfigured(scheme) ? issueOfFederation(secret) : issueOfSecret(scheme, secret);
  if (issue !== undefined) throw new InvalidConnection(`The credential ${issue}.`);
}

function isConfigured(scheme: CredentialScheme): boolean {
  return scheme.scheme === 'google' && scheme.source === 'federation';
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
    throw new InvalidConnection(
      'The id of a provider is made of small letters, digits, and hyphens or dots between them, as my-vllm.',
    );
  }
  if (baseUrl === undefined && preset === undefined) {
    throw new InvalidConnection(
      `The catalog has no provider ${provider}. For a server of your own, give its address: --base-url URL`,
    );
  }
}

function requestedAddress({ provider, protocol, baseUrl, apiKey }: ConnectionRequest): ProviderAddress {
  const known = WELL_KNOWN_PROVIDERS.get(provider);
  if (baseUrl === undefined) {
    if (known === undefined) throw new InvalidConnection(addressWanted(provider));
    if (apiKey === null) {
      throw new InvalidConnection(`${provider} wants an API key: give --api-key-env or --api-key-stdin.`);
    }
    return { baseUrl: known.baseUrl, protocol: protocol ?? known.protocol };
  }
  if (!isBaseUrl(baseUrl)) {
    throw new InvalidConnection(BASE_URL_MESSAGE);
  }
  return { baseUrl: withoutSlash(baseUrl), protocol: protocol ?? known?.protocol ?? 'openai' };
}
