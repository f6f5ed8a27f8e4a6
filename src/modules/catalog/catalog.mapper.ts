import type { CatalogModel } from './catalog-model.js';
import type { ImageModelRow } from './catalog.repository.js';
import { uniteCapabilities } from './capability-union.js';
import type { ImageModelListItem } from './dto/image-model.dto.js';
import type { Model, ModelObject } from './dto/model.dto.js';
import type { ModelEntity } from './entities/model.entity.js';

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

/** Maps image models to the response. @param rows one for each endpoint, grouped by model */
export function toImageModelsResponse(rows: readonly ImageModelRow[], basePath: string): ImageModelListItem[] {
  const rowsByModel = new Map<string, ImageModelRow[]>();
  for (const row of rows) {
    const known = rowsByModel.get(row.id);
    if (known === undefined) rowsByModel.set(row.id, [row]);
    else known.push(row);
  }
  return [...rowsByModel.values()].map((endpoints) => toImageModelResponse(endpoints, basePath));
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
