import { fieldsOf } from '../../../api/validation/dto-fields.js';
import { ModelPricing } from '../dto/model-pricing.dto.js';
import {
  DefaultParameters,
  ModelArchitecture,
  ModelBenchmarks,
  ModelReasoning,
  TopProviderInfo,
} from '../dto/model.dto.js';
import type { ImageEndpointEntity } from '../entities/model-endpoint.entity.js';
import type { ModelEntity } from '../entities/model.entity.js';
import type { ModelTraits } from '../model-facts.js';
import type { DetailedImageModelEntry, ImageModelEntry, ModelEntry } from './catalog-entry.dto.js';
import { declaredFields } from './declared-fields.js';

const PRICES = [...fieldsOf(ModelPricing).keys()];

/** The facts of a model, without the lists that contain it. */
export type ModelRow = Omit<ModelEntity, 'inModelList' | 'inImageModelList'>;

/**
 * The row of an entry of the list of models. Unknown fields are dropped.
 *
 * @param known the stored row: its traits are kept, because public lists do not have them
 */
export function toModelRow(entry: ModelEntry, known?: ModelRow): ModelRow {
  return {
    id: entry.id,
    canonicalSlug: entry.canonical_slug,
    huggingFaceId: entry.hugging_face_id ?? null,
    name: entry.name,
    description: entry.description,
    created: entry.created,
    contextLength: entry.context_length,
    architecture: declaredFields(ModelArchitecture, entry.architecture),
    pricing: knownPrices(entry.pricing),
    topProvider: declaredFields(TopProviderInfo, entry.top_provider),
    perRequestLimits: entry.per_request_limits,
    supportedParameters: [...entry.supported_parameters],
    defaultParameters: entry.default_parameters && { ...declaredFields(DefaultParameters, entry.default_parameters) },
    supportedVoices: entry.supported_voices && [...entry.supported_voices],
    reasoning: entry.reasoning ? declaredFields(ModelReasoning, entry.reasoning) : null,
    knowledgeCutoff: entry.knowledge_cutoff ?? null,
    expirationDate: entry.expiration_date ?? null,
    benchmarks: entry.benchmarks ? declaredFields(ModelBenchmarks, entry.benchmarks) : null,
    traits: traitsOf(entry) ?? known?.traits ?? null,
  };
}

function traitsOf(entry: ModelEntry): ModelTraits | undefined {
  const { categories, distillable, tool_success_rate, image_tokens } = entry;
  const traits = { categories, distillable, tool_success_rate, image_tokens };
  return Object.values(traits).every((trait) => trait === undefined) ? undefined : traits;
}

/**
 * The row of an image model: the facts from the list of models, combined with those from the list of image models. A model
 * that is only in the latter has no token prices and no text parameters.
 *
 * @param known the row from the list of models, if it contains the model
 */
export function toImageModelRow(entry: ImageModelEntry | DetailedImageModelEntry, known?: ModelRow): ModelRow {
  const { input_modalities: inputs, output_modalities: outputs } = entry.architecture;
  const { id, name, description, created } = entry;
  if (known !== undefined) {
    const architecture = { ...known.architecture, input_modalities: inputs, output_modalities: outputs };
    return { ...known, name, description, created, architecture };
  }
  return {
    id,
    canonicalSlug: id,
    huggingFaceId: null,
    name,
    description,
    created,
    contextLength: null,
    architecture: {
      modality: `${inputs.join('+')}->${outputs.join('+')}`,
      input_modalities: inputs,
      output_modalities: outputs,
      tokenizer: 'Media',
      instruct_type: null,
    },
    pricing: { prompt: '0', completion: '0' },
    topProvider: { context_length: null, max_completion_tokens: null, is_moderated: false },
    perRequestLimits: null,
    supportedParameters: [],
    defaultParameters: null,
    supportedVoices: null,
    reasoning: null,
    knowledgeCutoff: null,
    expirationDate: null,
    benchmarks: null,
    traits: null,
  };
}

/** The endpoints of an image model. The public list has only their superset, which becomes one endpoint of the author. */
export function toImageEndpointRows(entry: ImageModelEntry | DetailedImageModelEntry): ImageEndpointEntity[] {
  if ('endpoints' in entry && Array.isArray(entry.endpoints)) {
    return entry.endpoints.map((endpoint, position) => ({
      modelId: entry.id,
      position,
      providerSlug: endpoint.provider,
      supportedParameters: endpoint.supported_parameters,
      supportsStreaming: endpoint.supports_streaming,
      allowedPassthroughParameters: endpoint.allowed_passthrough_parameters,
      pricing: endpoint.pricing,
    }));
  }
  const listed = entry as ImageModelEntry;
  return [
    {
      modelId: listed.id,
      position: 0,
      providerSlug: listed.id.split('/')[0]!,
      supportedParameters: listed.supported_parameters,
      supportsStreaming: listed.supports_streaming,
      allowedPassthroughParameters: [],
      pricing: [],
    },
  ];
}

/** The prices that Gatehouse knows. */
export function knownPrices(pricing: ModelPricing): ModelPricing {
  return pick(pricing, PRICES);
}

/** Returns only the members with these names. */
function pick<T extends object>(object: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name))) as T;
}
