import type { CatalogEndpoint, CatalogModel } from './catalog-model.js';
import type { ImageEndpointRow } from './catalog.repository.js';
import type { ImageModelEndpointsResponse } from './dto/image-model.dto.js';
import type { ModelEndpoint, ModelEndpoints, ToolChoiceSupport } from './dto/model-endpoint.dto.js';
import type { Provider } from './dto/provider.dto.js';
import type { ProviderEntity } from './entities/provider.entity.js';

/** A model with its endpoints as the interface shows it. */
export function toModelEndpointsResponse(model: CatalogModel): ModelEndpoints {
  const { id, name, created, description, architecture } = model.row;
  return {
    id,
    name,
    created,
    description,
    architecture: {
      modality: architecture.modality,
      input_modalities: architecture.input_modalities,
      output_modalities: architecture.output_modalities,
      tokenizer: architecture.tokenizer ?? 'Other',
      instruct_type: architecture.instruct_type ?? null,
    },
    endpoints: model.endpoints.map((endpoint) => toModelEndpointResponse(model, endpoint)),
  };
}

/** An endpoint as the interface shows it. */
export function toModelEndpointResponse(model: CatalogModel, { row, provider }: CatalogEndpoint): ModelEndpoint {
  return {
    name: row.name,
    model_id: model.row.id,
    model_name: model.row.name,
    context_length: row.contextLength,
    pricing: row.pricing,
    provider_name: provider.name,
    tag: row.tag,
    quantization: row.quantization,
    max_completion_tokens: row.maxCompletionTokens,
    max_prompt_tokens: row.maxPromptTokens,
    supported_parameters: row.supportedParameters,
    status: row.status ?? undefined,
    uptime_last_5m: row.measurements.uptime_last_5m,
    uptime_last_30m: row.measurements.uptime_last_30m,
    uptime_last_1d: row.measurements.uptime_last_1d,
    supports_implicit_caching: row.supportsImplicitCaching,
    supports_tool_choice: row.supportsToolChoice ?? toolChoiceBy(row.supportedParameters),
    supports_voice_cloning: row.supportsVoiceCloning,
    latency_last_30m: row.measurements.latency_last_30m,
    throughput_last_30m: row.measurements.throughput_last_30m,
  };
}

/** The values of tool_choice that the parameters of an endpoint imply. */
function toolChoiceBy(parameters: readonly string[]): ToolChoiceSupport {
  const isTaken = parameters.includes('tool_choice');
  return { auto: isTaken, function: isTaken, none: isTaken, required: isTaken };
}

/** A provider as the interface shows it. */
export function toProviderResponse(provider: ProviderEntity): Provider {
  return {
    slug: provider.slug,
    name: provider.name,
    privacy_policy_url: provider.privacyPolicyUrl,
    terms_of_service_url: provider.termsOfServiceUrl,
    status_page_url: provider.statusPageUrl,
    headquarters: provider.headquarters,
    datacenters: provider.datacenters,
  };
}

/** An image model's endpoints as the interface shows them. */
export function toImageEndpointsResponse(id: string, rows: readonly ImageEndpointRow[]): ImageModelEndpointsResponse {
  return {
    id,
    endpoints: rows.map((row) => ({
      provider_name: row.providerName,
      provider_slug: row.providerSlug,
      provider_tag: null,
      supported_parameters: row.supportedParameters,
      allowed_passthrough_parameters: row.allowedPassthroughParameters,
      supports_streaming: row.supportsStreaming,
      pricing: row.pricing,
    })),
  };
}
