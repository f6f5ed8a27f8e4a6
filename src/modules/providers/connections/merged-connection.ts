import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { ProviderVariables } from '../../../config/provider-variables.js';
import { PUBLIC_ADDRESSES } from '../../../http/addresses/allowed-addresses.js';
import { CONNECTION_PRESETS } from './connection-presets.js';
import { DEFAULT_TIMEOUTS, type ProviderConnection } from './provider-connection.js';
import type { ProviderConnectionEntity } from '../entities/provider-connection.entity.js';
import { servedAt } from './upstream-model.js';
import { WELL_KNOWN_PROVIDERS } from './well-known-providers.js';

/** A stored connection with its credential decrypted: null for none, undefined for one that no key decrypts. */
export interface StoredConnection extends Omit<ProviderConnectionEntity, 'encryptedApiKey' | 'updatedAt'> {
  readonly apiKey: string | null | undefined;
}

/** What is known about a provider: in the database, and in the environment. */
export interface ConnectionSources {
  readonly stored: StoredConnection | undefined;
  readonly variables: ProviderVariables | undefined;
}

/** Whether something is given for a provider, and its credential, if it has one, can be read. */
export function isConnected({ stored, variables }: ConnectionSources): boolean {
  if (variables?.apiKey !== undefined) return true;
  return stored === undefined ? variables !== undefined : stored.apiKey !== undefined;
}

/**
 * The connection to a provider. A variable of the environment goes before the stored connection, and that before the well-known
 * address. A key of the environment goes to no address that was chosen by the interface.
 *
 * @returns undefined if none of them has the address of the provider
 */
export function mergedConnection(
  provider: string,
  { stored: given, variables }: ConnectionSources,
): ProviderConnection | undefined {
  const stored = variables?.apiKey !== undefined && given?.isFromInterface === true ? undefined : given;
  const known = WELL_KNOWN_PROVIDERS.get(provider);
  const baseUrl = variables?.baseUrl ?? stored?.baseUrl ?? known?.baseUrl;
  if (baseUrl === undefined) return undefined;
  const preset = variables?.baseUrl === undefined ? CONNECTION_PRESETS.get(stored?.preset ?? '') : undefined;
  // A server of one's own most likely speaks the usual protocol.
  const protocol = variables?.protocol ?? stored?.protocol ?? known?.protocol ?? 'openai';
  return {
    provider,
    protocol,
    baseUrl,
    ...(baseUrl === known?.baseUrl && { rerankBaseUrl: known.rerankBaseUrl }),
    apiKey: variables?.apiKey ?? stored?.apiKey ?? null,
    ...(variables?.baseUrl === undefined && formOf(stored)),
    ...(variables?.baseUrl === undefined && stored?.isFromInterface === true && { allowedAddresses: PUBLIC_ADDRESSES }),
    timeouts: { ...DEFAULT_TIMEOUTS, ...stored?.timeouts },
    models: new Map(Object.entries(stored?.models ?? {})),
    isWellKnown: known !== undefined || preset !== undefined,
    serves: preset?.serves ?? servedAt({ provider, protocol, baseUrl }),
    knownAs: preset?.provider,
    capabilities: withBodyFields(stored?.capabilities ?? {}, variables?.bodyFields ?? []),
  };
}

/** The form of the address and the credential; those that are stored belong to the stored address. */
function formOf(stored: StoredConnection | undefined): Pick<ProviderConnection, 'address' | 'credential'> {
  return { address: stored?.address ?? undefined, credential: stored?.credential ?? undefined };
}

/** Capabilities with further fields of a body that are sent. */
function withBodyFields(capabilities: ModelCapabilities, fields: readonly string[]): ModelCapabilities {
  if (fields.length === 0) return capabilities;
  return { ...capabilities, extra_body_fields: [...(capabilities.extra_body_fields ?? []), ...fields] };
}
