import type { Catalog } from '../../../catalog/catalog-model.js';
import type { PrivateModels } from '../../../catalog/private/private-models.js';
import type { ConnectionSet } from '../../../providers/connections/provider-connections.js';
import type { CompiledLimit } from '../../../limits/compiled-limit.js';
import type { RequestContext } from './request-context.repository.js';

/** What the endpoints that may be asked are found by, as it was when a request came or later. */
export interface CandidateInputs {
  readonly context: RequestContext;
  readonly catalog: Catalog;
  /** The endpoints that the organization has of its own. */
  readonly privateModels: PrivateModels;
  readonly connections: ConnectionSet;
}

/** What the decisions about a request are based on, as it was when the request came or later. */
export interface RequestInputs extends CandidateInputs {
  /** The limits by condition and group that may apply, oldest first. */
  readonly limits: readonly CompiledLimit[];
}
