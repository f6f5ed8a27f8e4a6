import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import type { ModelOffer } from '../../catalog/catalog.service.js';
import { modelReferenceOf } from '../../catalog/model-reference.js';
import { OwnProviderKeys, type RestrictableKey } from '../../providers/own-keys/own-provider-keys.js';
import { PRIVATE_PROTOCOL } from '../../providers/connections/private-connection.js';
import { ProviderClients } from '../../providers/clients/provider-clients.service.js';
import { ProviderConnections } from '../../providers/connections/provider-connections.js';
import { upstreamModelOf } from '../../providers/connections/upstream-model.js';
import type { EffectivePolicy } from './effective-policy.js';
import { policyRefusals } from './permitted-models.js';

/** Decides which models requests of a key can reach: a permitted model may have no endpoint that can be called. */
@Injectable()
export class AvailableModels {
  constructor(
    private readonly connections: ProviderConnections,
    private readonly ownKeys: OwnProviderKeys,
    private readonly providers: ProviderClients,
    private readonly environment: Environment,
  ) {}

  /**
   * Prepares the check for many models: an endpoint that the policy permits has to be of a provider that the deployment is
   * connected to, or that an own key of the workspace is for, that is called in a protocol with an operation for the model and by a name of
   * it, and whose price can be charged. Where the policy does not allow the region of the deployment, no model is available
   * (docs/interface/guardrails.md#models-that-remain).
   */
  async check(key: RestrictableKey, policy: EffectivePolicy): Promise<(model: ModelOffer) => boolean> {
    const { dataRegion, zdrVendors } = this.environment;
    if (policy.allowedDataRegions.value?.includes(dataRegion) === false) return () => false;
    const { connected, reachable } = await this.connections.current();
    const ownKeysFor = await this.ownKeys.checkOf(key, reachable);
    const refusalsOf = policyRefusals(policy, zdrVendors);
    return (model) =>
      model.endpoints.some((endpoint) => {
        const { provider, isPrivate } = endpoint;
        // An own key is used with the connection of the deployment, if there is one.
        const connection = isPrivate ? undefined : reachable.get(provider);
        const protocol = isPrivate ? PRIVATE_PROTOCOL : connection?.protocol;
        if (protocol === undefined || !this.providers.serves(protocol, model.outputs)) return false;
        if (connection && upstreamModelOf(connection, { ...model, ...endpoint }) === undefined) return false;
        if (!endpoint.isChargeable) return false;
        const { isSharedAllowed, declaredZdr } = ownKeysFor(provider, modelReferenceOf(model), isPrivate);
        const mayShare = !isPrivate && isSharedAllowed && connected.has(provider);
        // A key that declares nothing of zero data retention goes by the endpoint, as credentials of the deployment do.
        const declared = mayShare ? [...declaredZdr, null] : declaredZdr;
        return declared.some((zdr) => refusalsOf(model, { ...endpoint, isZdr: zdr ?? endpoint.isZdr }).length === 0);
      });
  }
}
