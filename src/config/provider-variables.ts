import type { VariableReader } from './variable-reader.js';
import { parsesAsUrl } from './parses-as-url.js';

/** The protocols that a provider may speak (docs/providers.md). */
export const PROVIDER_PROTOCOLS = ['openai', 'openai-responses', 'anthropic', 'gemini', 'converse', 'echo'] as const;

/** The name of a protocol. */
export type ProviderProtocolName = (typeof PROVIDER_PROTOCOLS)[number];

/** The protocols that need a server; `echo` is built in. */
export const NETWORK_PROTOCOLS = PROVIDER_PROTOCOLS.filter((protocol) => protocol !== 'echo');

/** What the environment says about one provider; a field is absent where its variable is. */
export interface ProviderVariables {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly protocol?: ProviderProtocolName;
  /** Fields of a body that are sent besides those that the provider is known to take. */
  readonly bodyFields?: readonly string[];
}

/** The id of a provider is its slug in capitals, with `_` for `-`. */
const VARIABLE = /^PROVIDER_([A-Z0-9]+(?:_[A-Z0-9]+)*?)_(API_KEY|BASE_URL|PROTOCOL|BODY_FIELDS)$/;

/** The builtin provider, whose connection is not set. */
const BUILTIN = 'gatehouse';

/**
 * Reads PROVIDER_<ID>_API_KEY, PROVIDER_<ID>_BASE_URL, PROVIDER_<ID>_PROTOCOL and PROVIDER_<ID>_BODY_FIELDS of every provider.
 *
 * @returns by the slug of the provider
 */
export function providerVariablesOf(reader: VariableReader): ReadonlyMap<string, ProviderVariables> {
  const providers = new Map<string, ProviderVariables>();
  for (const name of reader.names()) {
    const [, id, field] = VARIABLE.exec(name) ?? [];
    const value = reader.optionalText(name);
    if (id === undefined || value === undefined) continue;
    const slug = id.toLowerCase().replaceAll('_', '-');
    if (slug === BUILTIN) reader.issue(name, 'names the builtin provider, which ECHO_PROVIDER=off removes');
    providers.set(slug, { ...providers.get(slug), ...fieldOf(name, field!, value, reader) });
  }
  return providers;
}

function fieldOf(name: string, field: string, value: string, reader: VariableReader): ProviderVariables {
  if (field === 'PROTOCOL') return { protocol: reader.choice(name, NETWORK_PROTOCOLS, 'openai') };
  if (field === 'API_KEY') {
    // The value is a secret and is not repeated in the issue.
    if (!isApiKey(value)) reader.issue(name, 'must be printable ASCII characters without spaces, at most 4096');
    return { apiKey: value };
  }
  if (field === 'BODY_FIELDS') {
    const fields = value.split(',').map((name) => name.trim());
    if (!fields.every(isFieldName)) reader.issue(name, 'must be names of fields of a body, separated by commas');
    return { bodyFields: fields };
  }
  if (!isBaseUrl(value)) {
    // It may hold a password, so the issue does not repeat it.
    reader.issue(name, 'must be an http or https URL without user, query and fragment');
  }
  return { baseUrl: withoutSlash(value) };
}

/** Whether a text can be the name of a field of a body. */
export function isFieldName(text: string): boolean {
  return /^[A-Za-z_][\w.-]{0,63}$/.test(text);
}

/** Whether a text can be sent as a credential in a header. */
export function isApiKey(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text);
}

/** Whether a text is the address of a provider: an http or https URL to which paths can be added. */
export function isBaseUrl(text: string): boolean {
  if (text.length > 2_048 || !/^https?:\/\//i.test(text) || !parsesAsUrl(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '' && !/[?#\s]/.test(text);
}

/** Where an address sends data: its scheme, host and port (RFC 6454). @param baseUrl a URL */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

/** The address without the slashes at its end, to which paths are added. */
export function withoutSlash(baseUrl: string): string {
  let end = baseUrl.length;
  while (baseUrl[end - 1] === '/') end -= 1;
  return baseUrl.slice(0, end);
}
