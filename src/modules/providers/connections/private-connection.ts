import type { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import { DEFAULT_TIMEOUTS, type ProviderConnection } from './provider-connection.js';

/** The protocol of providers that organizations have of their own (docs/interface/private-models.md). */
export const PRIVATE_PROTOCOL = 'openai';

/**
 * How a provider of an organization's own is called: without any credential of the deployment.
 *
 * @param provider its slug
 * @param baseUrl empty until it is known which of its endpoints is called
 * @param allowedAddresses where connections to it may lead
 */
export function privateConnection(
  provider: string,
  baseUrl: string,
  allowedAddresses: AllowedAddresses,
): ProviderConnection {
  return {
    provider,
    protocol: PRIVATE_PROTOCOL,
    baseUrl,
    apiKey: null,
    timeouts: DEFAULT_TIMEOUTS,
    models: new Map(),
    isWellKnown: false,
    capabilities: {},
    isPrivate: true,
    allowedAddresses,
  };
}
