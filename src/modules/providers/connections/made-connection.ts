import type { ModelPricing } from '../../catalog/model-facts.js';

/** What came of connecting a provider. */
export interface MadeConnection {
  /** Whether the catalog did not have the provider. */
  readonly isNewProvider: boolean;
  readonly servedModels: readonly string[];
  /** The ids of those that have an endpoint at the provider, but are not reached by this connection, or have no name there. */
  readonly unnamedModels: readonly string[];
  /** The models that had none there until now, with the prices of the catalog, which the endpoint has too. */
  readonly addedEndpoints: readonly { readonly model: string; readonly pricing: ModelPricing }[];
}
