import type { ProviderProtocolName } from '../../../config/provider-variables.js';

/** The version of the Messages API that is written and read here. */
const ANTHROPIC_VERSION = '2023-06-01';

/**
 * The headers by which a provider knows the gateway, and the form that it speaks.
 *
 * @param apiKey null for a server that wants none
 */
export function credentialHeaders(
  protocol: ProviderProtocolName,
  apiKey: string | null,
): Readonly<Record<string, string>> {
  switch (protocol) {
    case 'openai':
    case 'openai-responses':
      return apiKey === null ? {} : { authorization: `Bearer ${apiKey}` };
    case 'anthropic':
      return { 'anthropic-version': ANTHROPIC_VERSION, ...(apiKey !== null && { 'x-api-key': apiKey }) };
    case 'echo':
      return {};
  }
}
