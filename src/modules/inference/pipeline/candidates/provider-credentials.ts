import type { CatalogEndpoint } from '../../../catalog/catalog-endpoint.js';
import type { OwnKeys } from '../../../providers/own-keys/own-provider-keys.js';
import type { ProviderConnection } from '../../../providers/connections/provider-connection.js';
import { upstreamModelOf } from '../../../providers/connections/upstream-model.js';
import type { CandidateEndpoint } from '../../../routing/endpoint-order.js';
import type { Candidate } from '../request/candidate.js';

/** The classes in which credentials are tried: keys of the organization's own, those of the deployment, and own fallbacks. */
const CLASSES = ['own', 'shared', 'fallback'] as const;

/** A credential by which a provider can be called. */
export interface ProviderCredential {
  readonly kind: (typeof CLASSES)[number];
  readonly connection: ProviderConnection;
  /** Whether it may answer requests that demand zero data retention; null for what the endpoint says. */
  readonly declaredZdr: boolean | null;
}

/** A credential for an endpoint. */
export interface EndpointCredential extends ProviderCredential {
  /** The name by which it asks for the model. */
  readonly upstreamModel: string;
}

/** An endpoint, and the credentials by which it may be called. */
export interface CallableEndpoint extends CandidateEndpoint {
  readonly credentials: readonly EndpointCredential[];
}

/**
 * Every credential by which providers can be called for a request.
 *
 * @param connections of the deployment, by provider
 * @param ownKeys of the organization, those of a provider in their order, and the providers for which nothing else is used
 */
export function providerCredentialsOf(
  connections: ReadonlyMap<string, ProviderConnection>,
  { keys, withoutShared }: OwnKeys,
): ProviderCredential[] {
  return [
    ...keys.map(({ connection, isFallback, declaredZdr }): ProviderCredential => ({
      kind: isFallback ? 'fallback' : 'own',
      connection,
      declaredZdr,
    })),
    ...[...connections.values()]
      .filter(({ provider }) => !withoutShared.has(provider))
      .map((connection): ProviderCredential => ({ kind: 'shared', connection, declaredZdr: null })),
  ];
}

/** Whether an endpoint is called with a credential: one of an organization's own with keys that are for its provider, and no others with them. */
export function isFor({ connection }: ProviderCredential, { row, privateAddress }: CatalogEndpoint): boolean {
  return connection.provider === row.providerSlug && (connection.isPrivate === true) === (privateAddress !== undefined);
}

/** The credentials whose connections know a name of the model: others cannot ask for it. */
export function namedCredentialsOf(
  credentials: readonly ProviderCredential[],
  { model, endpoint: { row } }: CandidateEndpoint,
): EndpointCredential[] {
  const { id, canonicalSlug } = model.row;
  const named = { id, canonicalSlug, upstreamId: row.upstreamId, isOwn: row.isOwn };
  return credentials.flatMap((way) => {
    const upstreamModel = upstreamModelOf(way.connection, named);
    return upstreamModel === undefined ? [] : [{ ...way, upstreamModel }];
  });
}

/**
 * The candidates for endpoints: own keys go before credentials of the deployment, whatever the order of endpoints, and within a
 * class that order stands (docs/interface/provider-keys.md).
 */
export function candidatesOf(endpoints: readonly CallableEndpoint[]): Candidate[] {
  return CLASSES.flatMap((kind) =>
    endpoints.flatMap((candidate) =>
      candidate.credentials
        .filter((way) => way.kind === kind)
        .map(({ connection, upstreamModel }) => ({
          model: candidate.model,
          endpoint: candidate.endpoint,
          connection: atEndpoint(connection, candidate.endpoint),
          upstreamModel,
          isByok: kind !== 'shared',
        })),
    ),
  );
}

/** A connection at the address of an endpoint that has one. */
function atEndpoint(connection: ProviderConnection, { privateAddress }: CatalogEndpoint): ProviderConnection {
  return privateAddress === undefined ? connection : { ...connection, baseUrl: privateAddress };
}
