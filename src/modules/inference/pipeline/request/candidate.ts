import type { ProviderConnection } from '../../../providers/connections/provider-connection.js';
import type { CandidateEndpoint } from '../../../routing/endpoint-order.js';

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
