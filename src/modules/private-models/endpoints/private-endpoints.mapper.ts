import type { Catalog } from '../../catalog/catalog-model.js';
import type { PrivateEndpointRow } from '../../catalog/private/private-catalog.repository.js';
import type { ManagedPrivateEndpoint, PrivateEndpoint, PrivateEndpointSummary } from '../dto/private-endpoint.dto.js';

/** An endpoint as lists have it. */
export function toSummary(endpoint: PrivateEndpointRow, { modelsByName }: Catalog): PrivateEndpointSummary {
  const model = modelsByName.get(endpoint.modelPermaslug.toLowerCase())?.row;
  return {
    id: endpoint.id,
    status: endpoint.status,
    model_permaslug: endpoint.modelPermaslug,
    model_slug: model?.id ?? null,
    model_name: model?.name ?? null,
    provider_name: endpoint.providerName,
    created_at: endpoint.createdAt.toISOString(),
  };
}

/** An endpoint as changes of its status answer it. */
export function toManaged(endpoint: PrivateEndpointRow, catalog: Catalog): ManagedPrivateEndpoint {
  return {
    ...toSummary(endpoint, catalog),
    declared_zdr: endpoint.declaredZdr,
    declared_region: endpoint.declaredRegion,
  };
}

/** An endpoint with its settings. */
export function toPrivateEndpointResponse(endpoint: PrivateEndpointRow, catalog: Catalog): PrivateEndpoint {
  return {
    ...toManaged(endpoint, catalog),
    provider_slug: endpoint.providerSlug,
    base_url: endpoint.baseUrl,
    upstream_model_id: endpoint.upstreamModelId,
    pricing: endpoint.pricing,
  };
}
