import type { CatalogEndpoint, ImageEndpoint } from './catalog-endpoint.js';
import type { ImageModelRow } from './catalog.repository.js';
import type { ModelEndpointEntity } from './entities/model-endpoint.entity.js';
import type { ProviderEntity } from './entities/provider.entity.js';
import { NOT_MEASURED, unlistedProvider } from './unlisted-endpoint.js';

/** The longest prompt of an endpoint that the list of endpoints does not have, in tokens: what image models take is not listed. */
const CONTEXT_LENGTH = 65_536;

/**
 * Where a model draws images: the endpoints of the list of image models, with what the list of endpoints says of the same provider, and
 * those of the latter that have no other.
 *
 * @param listed the endpoints of the model in the list of endpoints
 * @param rows those in the list of image models
 */
export function imageEndpointsOf(
  modelId: string,
  listed: readonly CatalogEndpoint[],
  rows: readonly ImageModelRow[],
  providers: ReadonlyMap<string, ProviderEntity>,
): readonly ImageEndpoint[] {
  const offered = rows.map((image, position): ImageEndpoint => {
    const known = listed.find(({ row }) => row.providerSlug === image.providerSlug);
    if (known !== undefined) return { ...known, image, isListed: true };
    const provider = providers.get(image.providerSlug) ?? unlistedProvider(image.providerSlug, image.providerSlug);
    const row = unlistedRow(modelId, position, provider);
    return { row, provider, isFree: false, hasNoPrice: false, isChargeable: true, image, isListed: false };
  });
  const names = new Set(rows.map(({ providerSlug }) => providerSlug));
  const others = listed.filter(({ row }) => !names.has(row.providerSlug));
  return [...offered, ...others.map((endpoint) => ({ ...endpoint, image: undefined, isListed: true }))];
}

function unlistedRow(modelId: string, position: number, { slug, name }: ProviderEntity): ModelEndpointEntity {
  return {
    modelId,
    position,
    providerSlug: slug,
    tag: slug,
    name: `${name} | ${modelId}`,
    contextLength: CONTEXT_LENGTH,
    maxCompletionTokens: null,
    maxPromptTokens: null,
    pricing: { prompt: '0', completion: '0' },
    quantization: null,
    status: null,
    supportedParameters: [],
    supportsImplicitCaching: false,
    supportsToolChoice: null,
    supportsVoiceCloning: false,
    measurements: NOT_MEASURED,
    isZdr: false,
    trainsOnRequests: null,
    publishesPrompts: null,
    capabilities: null,
    upstreamId: null,
    isOwn: false,
  };
}
