import { PercentileStats, ToolChoiceSupport } from '../dto/model-endpoint.dto.js';
import type { ImageEndpointEntity, ModelEndpointEntity } from '../entities/model-endpoint.entity.js';
import type { ProviderEntity } from '../entities/provider.entity.js';
import type { Percentiles } from '../model-facts.js';
import type { ImageModelEndpointsEntry, ModelEndpointEntry, ProviderEntry } from './catalog-entry.dto.js';
import { declaredFields } from './declared-fields.js';
import { knownPrices } from './entry-mapper.js';

/** The provider of an endpoint: the first part of its tag. */
export function providerSlugOf({ tag }: Pick<ModelEndpointEntry, 'tag'>): string {
  return tag.split('/')[0]!;
}

/** The row of a provider. Fields that the entry omits are unknown. */
export function toProviderRow(entry: ProviderEntry): ProviderEntity {
  return {
    slug: entry.slug,
    name: entry.name,
    privacyPolicyUrl: entry.privacy_policy_url ?? null,
    statusPageUrl: entry.status_page_url ?? null,
    termsOfServiceUrl: entry.terms_of_service_url ?? null,
    headquarters: entry.headquarters ?? null,
    datacenters: entry.datacenters ?? null,
  };
}

/**
 * The row of an endpoint.
 *
 * @param known the stored endpoint: its data policies are kept, because public lists do not have them
 */
export function toModelEndpointRow(
  modelId: string,
  position: number,
  entry: ModelEndpointEntry,
  known?: ModelEndpointEntity,
): ModelEndpointEntity {
  return {
    modelId,
    position,
    providerSlug: providerSlugOf(entry),
    tag: entry.tag,
    name: entry.name,
    contextLength: entry.context_length,
    maxCompletionTokens: entry.max_completion_tokens,
    maxPromptTokens: entry.max_prompt_tokens,
    pricing: knownPrices(entry.pricing),
    quantization: entry.quantization,
    status: entry.status ?? null,
    supportedParameters: [...entry.supported_parameters],
    supportsImplicitCaching: entry.supports_implicit_caching,
    supportsToolChoice: entry.supports_tool_choice
      ? declaredFields(ToolChoiceSupport, entry.supports_tool_choice)
      : null,
    supportsVoiceCloning: entry.supports_voice_cloning ?? false,
    measurements: {
      uptime_last_5m: entry.uptime_last_5m ?? null,
      uptime_last_30m: entry.uptime_last_30m ?? null,
      uptime_last_1d: entry.uptime_last_1d ?? null,
      latency_last_30m: toPercentiles(entry.latency_last_30m),
      throughput_last_30m: toPercentiles(entry.throughput_last_30m),
    },
    isZdr: entry.zdr ?? known?.isZdr ?? false,
    trainsOnRequests: entry.training ?? known?.trainsOnRequests ?? null,
    publishesPrompts: entry.publication ?? known?.publishesPrompts ?? null,
  };
}

/** The rows of the public list of an image model's endpoints. */
export function toListedImageEndpointRows(modelId: string, entry: ImageModelEndpointsEntry): ImageEndpointEntity[] {
  return entry.endpoints.map((endpoint, position) => ({
    modelId,
    position,
    providerSlug: endpoint.provider_slug,
    supportedParameters: endpoint.supported_parameters,
    supportsStreaming: endpoint.supports_streaming,
    allowedPassthroughParameters: endpoint.allowed_passthrough_parameters,
    pricing: endpoint.pricing,
  }));
}

function toPercentiles(stats: PercentileStats | null | undefined): Percentiles | null {
  return stats ? declaredFields(PercentileStats, stats) : null;
}
