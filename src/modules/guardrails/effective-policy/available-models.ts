import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import type { ModelOffer } from '../../catalog/catalog.service.js';
import { modelReferenceOf } from '../../catalog/model-reference.js';
import { ProviderConnections } from '../../providers/connections/provider-connections.js';
import { type KeyHolder, OwnProviderKeys } from '../../providers/own-keys/own-provider-keys.js';
import type { EffectivePolicy } from './effective-policy.js';
import { policyRefusals } from './permitted-models.js';

/** Decides which models requests of a key would reach: permission alone does not say that anybody serves them. */
@Injectable()
export class AvailableModels {
  constructor(
    private readonly connections: ProviderConnections,
    private readonly ownKeys: OwnProviderKeys,
    private readonly environment: Environment,
  ) {}

  /**
   * Prepares the check for many models: an endpoint that the policy permits has to be of a provider that the deployment is
   * connected to, or that an own key of the workspace is for. Where the policy does not allow the region of the deployment, no
   * model is available (docs/interface/guardrails.md#models-that-remain).
   */
  async check(holder: KeyHolder, policy: EffectivePolicy): Promise<(model: ModelOffer) => boolean> {
    const { dataRegion, zdrVendors } = this.environment;
    if (policy.allowedDataRegions.value?.includes(dataRegion) === false) return () => false;
    const { connected, reachable } = await this.connections.current();
    const hasOwnKey = await this.ownKeys.checkOf(holder, reachable);
    const refusalOf = policyRefusals(policy, zdrVendors);
    return (model) =>
      model.endpoints.some((endpoint) => {
        const isServed = connected.has(endpoint.provider) || hasOwnKey(endpoint.provider, modelReferenceOf(model));
        return isServed && refusalOf(model, endpoint) === undefined;
      });
  }
}
