import { modelReferenceOf } from '../../../catalog/index.js';
import type { ProviderConnection } from '../../../providers/index.js';
import type { CandidateEndpoint } from '../../../routing/index.js';

/** An endpoint that may answer a request, and how it is called. */
export interface Candidate extends CandidateEndpoint {
  readonly connection: ProviderConnection;
  /** The provider's own name of the model. */
  readonly upstreamModel: string;
  /** Whether a provider key of the organization is used. */
  readonly isByok: boolean;
}

/** How the health of an endpoint is kept: by model and tag. */
export function endpointNameOf({ model, endpoint }: CandidateEndpoint): string {
  return `${model.row.id} ${endpoint.row.tag}`;
}

/**
 * The provider's own name of a model: as the connection says, or the endpoint in the catalog, or the slug without author and
 * variant.
 */
export function upstreamModelOf(
  { models, protocol }: Pick<ProviderConnection, 'models' | 'protocol'>,
  { model, endpoint }: CandidateEndpoint,
): string {
  const { id, canonicalSlug } = model.row;
  const named = models.get(modelReferenceOf(model.row)) ?? models.get(canonicalSlug) ?? models.get(id);
  if (named !== undefined) return named;
  if (endpoint.row.upstreamId !== null) return endpoint.row.upstreamId;
  const slug = id.slice(id.indexOf('/') + 1).split(':')[0]!;
  // The catalog says claude-sonnet-4.6 where the author's own interface says claude-sonnet-4-6.
  return protocol === 'anthropic' && model.author === 'anthropic' ? slug.replaceAll('.', '-') : slug;
}
