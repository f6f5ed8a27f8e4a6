import { modelReferenceOf } from '../../catalog/model-reference.js';
import { CONNECTION_PRESETS, type ServedModels } from './connection-presets.js';
import type { ProviderConnection } from './provider-connection.js';

/** What the catalog says of a model and of one of its endpoints that has to do with the name at the provider. */
export interface NamedEndpoint {
  readonly id: string;
  readonly canonicalSlug: string;
  /** The provider's own name of the model; null for none. */
  readonly upstreamId: string | null;
  /** Whether the operator or an organization has stated the endpoint. */
  readonly isOwn: boolean;
}

/**
 * The name by which a connection asks for a model of an endpoint of its provider (docs/providers.md#names-of-models): as the connection
 * says, or the endpoint in the catalog, or the slug without author and variant.
 *
 * @returns undefined where the connection does not reach the model, or no name of it is known there: such an endpoint is not asked
 */
export function upstreamModelOf(
  { models, protocol, serves }: Pick<ProviderConnection, 'models' | 'protocol' | 'serves'>,
  { id, canonicalSlug, upstreamId, isOwn }: NamedEndpoint,
): string | undefined {
  const named = models.get(modelReferenceOf({ id, canonicalSlug })) ?? models.get(canonicalSlug) ?? models.get(id);
  if (named !== undefined) return named;
  const slash = id.indexOf('/');
  const author = id.slice(0, slash);
  if (!isOwn && serves?.isAuthor?.(author) === false) return undefined;
  if (upstreamId !== null) return upstreamId;
  const slug = id.slice(slash + 1).split(':')[0]!;
  // The catalog says claude-sonnet-4.6 where the author's own interface says claude-sonnet-4-6.
  const name = protocol === 'anthropic' && author === 'anthropic' ? slug.replaceAll('.', '-') : slug;
  return serves?.nameForm?.test(name) === false ? undefined : name;
}

/** Where the clouds are, for connections that no preset has made. */
const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/^bedrock-runtime\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?$/, 'bedrock'],
  [/(?:^|-)aiplatform\.(?:[a-z]+\.rep\.)?googleapis\.com$/, 'vertex'],
  [/\.openai\.azure\.com$/, 'azure-openai'],
];

/** The presets of a cloud by the dialect, where it is not the one that {@link HOSTS} names. */
const OF_DIALECT: Readonly<Record<string, string>> = {
  'bedrock anthropic': 'bedrock-claude',
  'bedrock openai': 'bedrock-openai',
  'vertex anthropic': 'vertex-claude',
  'vertex openai': 'vertex-openai',
};

/** The clouds that only these dialects are spoken by, by the provider of the catalog. */
const OF_PROVIDER: Readonly<Record<string, string>> = {
  'amazon-bedrock converse': 'bedrock',
  'google-vertex gemini': 'vertex',
};

/**
 * What a connection serves that no preset has made: as the preset of the cloud that it leads to.
 *
 * @returns undefined for a server of which nothing is known: it is asked for whatever the catalog says that it has
 */
export function servedAt({
  provider,
  protocol,
  baseUrl,
}: Pick<ProviderConnection, 'provider' | 'protocol' | 'baseUrl'>): ServedModels | undefined {
  const [, cloud] = HOSTS.find(([host]) => host.test(new URL(baseUrl).hostname)) ?? [];
  const preset =
    cloud === undefined ? OF_PROVIDER[`${provider} ${protocol}`] : (OF_DIALECT[`${cloud} ${protocol}`] ?? cloud);
  return preset === undefined ? undefined : CONNECTION_PRESETS.get(preset)?.serves;
}
