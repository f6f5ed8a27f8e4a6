import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import type { CatalogModel } from '../../catalog/catalog-model.js';
import { CatalogLookup } from '../../catalog/catalog-lookup.service.js';
import { PrivateCatalog } from '../../catalog/private/private-catalog.js';
import { OwnProviderKeys } from '../../providers/own-keys/own-provider-keys.js';
import { ProviderConnections } from '../../providers/connections/provider-connections.js';
import { CONDITIONS } from '../../routing/endpoint-order.js';
import { EndpointHealth } from '../../routing/endpoint-health.js';
import { endpointNameOf } from '../pipeline/request/candidate.js';
import type { GetProvidersHealthResponse, ProviderEndpointHealth } from './dto/provider-health.dto.js';
import { type ObservedEndpoint, toEndpointHealth, toProviderHealth } from './provider-health.mapper.js';

/** Says how well providers answer an organization, as this process sees it (docs/interface/providers.md#health). */
@Injectable()
export class ProviderHealthService {
  constructor(
    private readonly catalog: CatalogLookup,
    private readonly privateCatalog: PrivateCatalog,
    private readonly connections: ProviderConnections,
    private readonly ownKeys: OwnProviderKeys,
    private readonly health: EndpointHealth,
  ) {}

  /** The providers that the deployment is connected to, and those that the organization has keys for, its own with active endpoints among them. */
  async get({ organizationId }: ManagementPrincipal): Promise<GetProvidersHealthResponse> {
    const { models, providers } = await this.catalog.catalog();
    const privateModels = await this.privateCatalog.current(organizationId);
    const shared = await this.connections.current();
    const { connected, reachable } = this.connections.withPrivate(shared, privateModels.providers);
    const own = await this.ownKeys.providersOf(organizationId);
    const usable = [...reachable.keys()].filter((slug) => connected.has(slug) || own.has(slug)).sort();
    const names = new Map([...providers.map(({ slug, name }) => [slug, name] as const), ...privateModels.providers]);
    const extended = models.map((model) => privateModels.extended(model));
    const observed = this.observed(extended, organizationId);
    return {
      data: {
        observed_since: this.health.observedSince.toISOString(),
        is_shared: this.health.isShared,
        providers: usable.map((slug) => {
          const endpoints = observed.filter(({ provider }) => provider === slug);
          return toProviderHealth(slug, names.get(slug) ?? slug, worstFirst(endpoints));
        }),
      },
    };
  }

  /** The endpoints of which an organization may be told something: others' requests alone are no concern of it. */
  private observed(models: readonly CatalogModel[], organizationId: string): ObservedEndpoint[] {
    const now = Date.now();
    return models.flatMap((model) =>
      model.endpoints.flatMap((endpoint): ObservedEndpoint[] => {
        const name = endpointNameOf({ model, endpoint });
        const condition = this.health.conditionOf(name, organizationId, now);
        const attempts = this.health.ownAttempts(name, organizationId, now);
        if (condition === 'normal' && attempts === undefined) return [];
        const { providerSlug: provider, tag } = endpoint.row;
        return [{ provider, model: model.row.id, tag, condition, attempts }];
      }),
    );
  }
}

function worstFirst(endpoints: readonly ObservedEndpoint[]): ProviderEndpointHealth[] {
  const badness = ({ condition }: ObservedEndpoint): number => CONDITIONS.indexOf(condition);
  return endpoints.toSorted((one, other) => badness(other) - badness(one)).map(toEndpointHealth);
}
