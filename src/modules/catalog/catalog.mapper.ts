import type { CatalogEndpoint } from './catalog-endpoint.js';
import { byModel, type CatalogModel } from './catalog-model.js';
import type { ImageEndpointRow, ImageModelRow } from './catalog.repository.js';
import { uniteCapabilities } from './capability-union.js';
import type { ImageModelEndpointsResponse, ImageModelListItem } from './dto/image-model.dto.js';
import type { MessagesModel } from './dto/messages-model.dto.js';
import type { Model, ModelObject } from './dto/model.dto.js';
import type { ModelEntity } from './entities/model.entity.js';
import type { ModelEndpoint, ModelEndpoints, ToolChoiceSupport } from './dto/model-endpoint.dto.js';
import type { Provider } from './dto/provider.dto.js';
import { namesSpeakers } from './named-speakers.js';
import type { ProviderEntity } from './entities/provider.entity.js';

/**
 * A model as the interface shows it.
 *
 * @param basePath the prefix of the operations, which links carry too
 */
export function toModelResponse(model: ModelEntity, basePath: string): Model {
  const { architecture, topProvider } = model;
  return {
    id: model.id,
    canonical_slug: model.canonicalSlug,
    hugging_face_id: model.huggingFaceId,
    name: model.name,
    created: model.created,
    description: model.description,
    context_length: model.contextLength,
    architecture: {
      modality: architecture.modality,
      input_modalities: architecture.input_modalities,
      output_modalities: architecture.output_modalities,
      tokenizer: architecture.tokenizer,
      instruct_type: architecture.instruct_type,
    },
    pricing: model.pricing,
    top_provider: {
      context_length: topProvider.context_length,
      max_completion_tokens: topProvider.max_completion_tokens,
      is_moderated: topProvider.is_moderated,
    },
    per_request_limits: model.perRequestLimits,
    supported_parameters: model.supportedParameters,
    default_parameters: model.defaultParameters,
    supported_voices: model.supportedVoices,
    reasoning: model.reasoning ?? undefined,
    benchmarks: model.benchmarks ?? undefined,
    knowledge_cutoff: model.knowledgeCutoff,
    expiration_date: model.expirationDate,
    links: { details: `${basePath}/models/${model.canonicalSlug}/endpoints` },
  };
}

/** A model as OpenAI's clients read it. */
export function toModelObject({ row, author }: CatalogModel, basePath: string): ModelObject {
  return { ...toModelResponse(row, basePath), object: 'model', owned_by: author };
}

/** A model as clients of the Messages form read it. What the catalog does not know is null, where the form has a null. */
export function toMessagesModel({
  id,
  name,
  created,
  contextLength,
  topProvider,
  expirationDate,
}: ModelEntity): MessagesModel {
  const retiresAt = expirationDate === null ? NaN : Date.parse(expirationDate);
  return {
    type: 'model',
    id,
    display_name: name,
    created_at: new Date(created * 1000).toISOString(),
    max_input_tokens: contextLength,
    max_tokens: topProvider.max_completion_tokens ?? null,
    lifecycle: expirationDate === null ? 'active' : 'deprecated',
    deprecated_at: null,
    retires_at: Number.isNaN(retiresAt) ? null : new Date(retiresAt).toISOString(),
    line: null,
    capabilities: null,
  };
}

/** Maps image models to the response. @param rows one for each endpoint, grouped by model */
export function toImageModelsResponse(rows: readonly ImageModelRow[], basePath: string): ImageModelListItem[] {
  return [...byModel(rows, ({ id }) => id).values()].map((endpoints) => toImageModelResponse(endpoints, basePath));
}

function toImageModelResponse(endpoints: readonly ImageModelRow[], basePath: string): ImageModelListItem {
  const model = endpoints[0]!;
  return {
    id: model.id,
    name: model.name,
    description: model.description,
    created: model.created,
    architecture: {
      input_modalities: model.architecture.input_modalities,
      output_modalities: model.architecture.output_modalities,
    },
    supported_parameters: uniteCapabilities(endpoints.map((endpoint) => endpoint.supportedParameters)),
    supports_streaming: endpoints.some((endpoint) => endpoint.supportsStreaming),
    endpoints: `${basePath}/images/models/${model.id}/endpoints`,
  };
}

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
export function toModelEndpointResponse(model: CatalogModel, endpoint: CatalogEndpoint): ModelEndpoint {
  const { row, provider } = endpoint;
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
    native_tools: {},
    service_tier: null,
    supports_diarization: namesSpeakers(model, endpoint),
    supports_voice_cloning: row.supportsVoiceCloning,
    latency_last_30m: row.measurements.latency_last_30m,
    throughput_last_30m: row.measurements.throughput_last_30m,
    perf_last_30m_by_workload: row.measurements.perf_last_30m_by_workload,
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
