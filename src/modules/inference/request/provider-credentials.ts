import type { ProviderConnection } from '../../providers/connections/provider-connection.js';
import type { OwnKey } from '../../providers/own-keys/own-provider-keys.js';
import type { CandidateEndpoint } from '../../routing/endpoint-order.js';
import { type Candidate, upstreamModelOf } from '../attempts/candidate.js';

/** The classes in which credentials are tried: keys of the organization's own, those of the deployment, and own fallbacks. */
const CLASSES = ['own', 'shared', 'fallback'] as const;

/** A credential by which a provider can be called. */
export interface ProviderCredential {
  readonly kind: (typeof CLASSES)[number];
  readonly connection: ProviderConnection;
}

/**
 * Every credential by which providers can be called for a request.
 *
 * @param connections of the deployment, by provider
 * @param ownKeys of the organization, those of a provider in their order
 */
export function providerCredentialsOf(
  connections: ReadonlyMap<string, ProviderConnection>,
  ownKeys: readonly OwnKey[],
): ProviderCredential[] {
  return [
    ...ownKeys.map(({ connection, isFallback }) => ({ kind: isFallback ? 'fallback' : 'own', connection }) as const),
    ...[...connections.values()].map((connection) => ({ kind: 'shared', connection }) as const),
  ];
}

/**
 * The candidates for endpoints: own keys go before credentials of the deployment, whatever the order of endpoints, and within a
 * class that order stands (docs/interface/provider-keys.md).
 */
export function candidatesOf(
  endpoints: readonly CandidateEndpoint[],
  credentials: readonly ProviderCredential[],
): Candidate[] {
  return CLASSES.flatMap((kind) =>
    endpoints.flatMap((candidate) =>
      credentials
        .filter((way) => way.kind === kind && way.connection.provider === candidate.endpoint.provider.slug)
        .map(({ connection }) => ({
          model: candidate.model,
          endpoint: candidate.endpoint,
          connection,
          upstreamModel: upstreamModelOf(connection, candidate),
          isByok: kind !== 'shared',
        })),
    ),
  );
}
