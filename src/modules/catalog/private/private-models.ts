import type { CatalogEndpoint } from '../catalog-endpoint.js';
import type { CatalogModel } from '../catalog-model.js';
import { modelReferenceOf } from '../model-reference.js';
import { hasNoPrice, priceFaultOf } from '../price-rules.js';
import { NOT_MEASURED, unlistedProvider } from '../unlisted-endpoint.js';
import type { PlannedPrivateEndpoint, PrivateEndpointRow } from './private-catalog.repository.js';

/** The address of an endpoint: its own, or that of its provider; null where neither is set. */
export function addressOfEndpoint({
  baseUrl,
  providerBaseUrl,
}: Pick<PrivateEndpointRow, 'baseUrl' | 'providerBaseUrl'>): string | null {
  return baseUrl ?? providerBaseUrl;
}

/** The active endpoints of an organization's own, beside those of the catalog. */
export class PrivateModels {
  private readonly byModel = new Map<string, PrivateEndpointRow[]>();

  /** The names of the providers that have an active endpoint, by their slugs. */
  readonly providers: ReadonlyMap<string, string>;

  /** @param rows active endpoints */
  constructor(rows: readonly PrivateEndpointRow[]) {
    this.providers = new Map(rows.map(({ providerSlug, providerName }) => [providerSlug, providerName]));
    for (const row of rows)
      this.byModel.set(row.modelPermaslug, [...(this.byModel.get(row.modelPermaslug) ?? []), row]);
  }

  /** A model of the catalog with the endpoints that the organization has of it; the same model where it has none. */
  extended<Model extends CatalogModel>(model: Model): Model {
    const own = this.byModel.get(modelReferenceOf(model.row)) ?? [];
    const endpoints = own.map((row) => privateEndpointOf(row, model));
    if (endpoints.length === 0) return model;
    const isPainter = model.row.architecture.output_modalities.includes('image');
    const painting = isPainter ? endpoints.map((endpoint) => ({ ...endpoint, isListed: true })) : [];
    return {
      ...model,
      endpoints: [...model.endpoints, ...endpoints],
      imageEndpoints: [...model.imageEndpoints, ...painting],
    };
  }
}

/** An endpoint of an organization's own in the form of those of the catalog. One that is active has prices and an address. */
export function privateEndpointOf(
  endpoint: PlannedPrivateEndpoint,
  { row: model, endpoints }: CatalogModel,
): CatalogEndpoint {
  const { id, providerSlug: slug, upstreamModelId, declaredZdr } = endpoint;
  const pricing = endpoint.pricing ?? { prompt: '0', completion: '0' };
  // What nothing is kept of is neither learned from nor published.
  const mayUse = declaredZdr === true ? false : null;
  return {
    row: {
      modelId: model.id,
      position: endpoints.length,
      providerSlug: slug,
      // Names its health too, which must not be that of an endpoint of another organization.
      tag: `${slug}/${id}`,
      name: `${endpoint.providerName} | ${model.id}`,
      contextLength: model.contextLength ?? Math.max(0, ...endpoints.map(({ row }) => row.contextLength)),
      maxCompletionTokens: model.topProvider.max_completion_tokens ?? null,
      maxPromptTokens: null,
      pricing,
      quantization: null,
      status: null,
      // What a server of one's own takes is not known, so it gets every parameter.
      supportedParameters: [],
      supportsImplicitCaching: false,
      supportsToolChoice: null,
      supportsVoiceCloning: false,
      measurements: NOT_MEASURED,
      isZdr: declaredZdr === true,
      trainsOnRequests: mayUse,
      publishesPrompts: mayUse,
      capabilities: null,
      upstreamId: upstreamModelId,
      isOwn: true,
    },
    provider: unlistedProvider(slug, endpoint.providerName),
    isFree: Number(pricing.prompt) === 0 && Number(pricing.completion) === 0,
    hasNoPrice: hasNoPrice(pricing),
    isChargeable: [pricing, model.pricing].every((prices) => priceFaultOf(prices) === undefined),
    privateAddress: addressOfEndpoint(endpoint) ?? '',
  };
}
