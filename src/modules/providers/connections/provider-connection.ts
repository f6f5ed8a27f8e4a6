import type { ProviderProtocolName } from '../../../config/provider-variables.js';
import type { ModelCapabilities } from '../../catalog/capabilities/model-capabilities.js';
import type { UpstreamTimeouts } from '../../codecs/upstream-codec.js';
import type { ServedModels } from './connection-presets.js';
import type { CalledUpstream } from '../upstream/called-upstream.js';

/** The builtin provider, which echoes (docs/providers.md). */
export const ECHO_PROVIDER = 'gatehouse';

/** How a provider of the catalog is called: what the operator has given the deployment for it. */
export interface ProviderConnection extends Omit<CalledUpstream, 'issuedSecrets'> {
  readonly protocol: ProviderProtocolName;
  /** The provider's own names of models, by the canonical slug in the catalog, with the suffix of a variant if it has one. */
  readonly models: ReadonlyMap<string, string>;
  /** The provider of the catalog whose rules apply, where that is another one: the cloud of the preset (docs/cloud-providers.md#presets). */
  readonly knownAs?: string | undefined;
  /** Which models of the catalog it reaches; undefined where nothing is known of the server. */
  readonly serves?: ServedModels | undefined;
  /** Whether the address of the provider is well known; false for a server of one's own. */
  readonly isWellKnown: boolean;
  /** What the operator says that the server can do (docs/interface/capabilities.md#sources). */
  readonly capabilities: ModelCapabilities;
}

/** The time limits of a connection that sets none, in milliseconds. */
export const DEFAULT_TIMEOUTS: UpstreamTimeouts = {
  connect: 5_000,
  headers: 300_000,
  firstEvent: 120_000,
  gap: 120_000,
};

/** Time limits by their names in answers and on the command line, in milliseconds. */
export function timeoutFieldsOf({ connect, headers, firstEvent, gap }: UpstreamTimeouts): {
  readonly connect: number;
  readonly headers: number;
  readonly first_event: number;
  readonly gap: number;
} {
  return { connect, headers, first_event: firstEvent, gap };
}

/** The longest time limit that a connection may set, in milliseconds: an hour. */
export const MAXIMUM_TIMEOUT_MS = 3_600_000;

/** The connection of the builtin provider. */
export const ECHO_CONNECTION: ProviderConnection = {
  provider: ECHO_PROVIDER,
  protocol: 'echo',
  baseUrl: '',
  apiKey: null,
  timeouts: DEFAULT_TIMEOUTS,
  models: new Map(),
  isWellKnown: true,
  capabilities: {},
};
