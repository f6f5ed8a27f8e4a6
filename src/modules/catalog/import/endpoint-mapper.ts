import { ModelCapabilities } from '../capabilities/model-capabilities.js';
import { PercentileStats, PerformanceByWorkload, ToolChoiceSupport } from '../dto/model-endpoint.dto.js';
import type { ImageEndpointEntity, ModelEndpointEntity } from '../entities/model-endpoint.entity.js';
import type { ModelEntity } from '../entities/model.entity.js';
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

/** Beside which facts an entry for an endpoint stands. */
export interface EndpointPlace {
  readonly model: ModelEntity;
  readonly position: number;
  readonly provider: ProviderEntity;
  /** Whether the operator has stated the endpoint. */
  readonly isOwn: boolean;
  /** The stored endpoint of the same tag. */
  readonly known: ModelEndpointEntity | undefined;
}

/**
 * The row of an endpoint. What an entry leaves out is kept where the operator had stated it, else it is as the model has it
 * (docs/interface/catalog-import.md). Data policies and the name at the provider are always kept, because public lists do not have them.
 *
 * @returns undefined for an endpoint whose context length neither it nor its model has
 */
export function toModelEndpointRow(entry: ModelEndpointEntry, place: EndpointPlace): ModelEndpointEntity | undefined {
  const { model, position, provider, isOwn, known } = place;
  const kept = isOwn ? known : undefined;
  const contextLength = entry.context_length ?? kept?.contextLength ?? model.contextLength;
  if (contextLength === null) return undefined;
  const maximum = kept ? kept.maxCompletionTokens : (model.topProvider.max_completion_tokens ?? null);
  return {
    modelId: model.id,
    position,
    providerSlug: provider.slug,
    tag: entry.tag,
    name: entry.name ?? kept?.name ?? `${provider.name} | ${model.id}`,
    contextLength,
    maxCompletionTokens: entry.max_completion_tokens === undefined ? maximum : entry.max_completion_tokens,
    maxPromptTokens: entry.max_prompt_tokens === undefined ? (kept?.maxPromptTokens ?? null) : entry.max_prompt_tokens,
    pricing: entry.pricing ? knownPrices(entry.pricing) : (kept?.pricing ?? model.pricing),
    quantization: entry.quantization === undefined ? (kept?.quantization ?? null) : entry.quantization,
    status: entry.status ?? kept?.status ?? null,
    supportedParameters: [...(entry.supported_parameters ?? kept?.supportedParameters ?? model.supportedParameters)],
    supportsImplicitCaching: entry.supports_implicit_caching ?? kept?.supportsImplicitCaching ?? false,
    supportsToolChoice: entry.supports_tool_choice
      ? declaredFields(ToolChoiceSupport, entry.supports_tool_choice)
      : (kept?.supportsToolChoice ?? null),
    supportsVoiceCloning: entry.supports_voice_cloning ?? kept?.supportsVoiceCloning ?? false,
    measurements: {
      uptime_last_5m: entry.uptime_last_5m ?? null,
      uptime_last_30m: entry.uptime_last_30m ?? null,
      uptime_last_1d: entry.uptime_last_1d ?? null,
      latency_last_30m: toPercentiles(entry.latency_last_30m),
      throughput_last_30m: toPercentiles(entry.throughput_last_30m),
      ...(entry.perf_last_30m_by_workload && {
        perf_last_30m_by_workload: declaredFields(PerformanceByWorkload, entry.perf_last_30m_by_workload),
      }),
    },
    isZdr: entry.zdr ?? known?.isZdr ?? false,
    trainsOnRequests: entry.training ?? known?.trainsOnRequests ?? null,
    publishesPrompts: entry.publication ?? known?.publishesPrompts ?? null,
    upstreamId: entry.upstream_id === undefined ? (known?.upstreamId ?? null) : entry.upstream_id,
    isOwn,
    capabilities: entry.capabilities
      ? declaredFields(ModelCapabilities, entry.capabilities)
      : (known?.capabilities ?? null),
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
