import type { EndpointOffer } from './catalog-model.js';

/** A current model, with the facts that policies use. */
export interface ModelOffer {
  readonly id: string;
  /** What guardrails name; a model and its variants share it. */
  readonly canonicalSlug: string;
  readonly author: string;
  readonly outputs: readonly string[];
  /** Empty if the catalog knows no endpoint. */
  readonly endpoints: readonly EndpointOffer[];
}
