import { fieldsOf } from '../../../api/validation/dto-fields.js';
import { ModelPricing as ModelPricingFields } from '../dto/model-pricing.dto.js';
import {
  DefaultParameters as DefaultParameterFields,
  type ModelBenchmarks as BenchmarksEntry,
} from '../dto/model.dto.js';
import type { ImageEndpointEntity } from '../entities/model-endpoint.entity.js';
import type { ModelEntity } from '../entities/model.entity.js';
import type { DefaultParameters, ModelBenchmarks, ModelPricing, ModelTraits } from '../model-facts.js';
import type { DetailedImageModelEntry, ImageModelEntry, ModelEntry } from './catalog-entry.dto.js';

const PRICES = [...fieldsOf(ModelPricingFields).keys()];
const PARAMETERS = [...fieldsOf(DefaultParameterFields).keys()];

/** The facts of a model, without the lists that contain it. */
export type ModelRow = Omit<ModelEntity, 'inModelList' | 'inImageModelList'>;

/**
 * The row of an entry of the list of models. Unknown fields are dropped.
 *
 * @param known the stored row: its traits are kept, because public lists do not have them
 */
export function toModelRow(entry: ModelEntry, known?: ModelRow): ModelRow {
  const { architecture, top_provider: topProvider } = entry;
  return {
    id: entry.id,
    canonicalSlug: entry.canonical_slug,
    huggingFaceId: entry.hugging_face_id ?? null,
    name: entry.name,
    description: entry.description,
    created: entry.created,
    contextLength: entry.context_length,
    architecture: {
      modality: architecture.modality,
      input_modalities: architecture.input_modalities,
      output_modalities: architecture.output_modalities,
      tokenizer: architecture.tokenizer,
      instruct_type: architecture.instruct_type,
    },
    pricing: knownPrices(entry.pricing),
    topProvider: {
      context_length: topProvider.context_length,
      max_completion_tokens: topProvider.max_completion_tokens,
      is_moderated: topProvider.is_moderated,
    },
    perRequestLimits: entry.per_request_limits,
    supportedParameters: [...entry.supported_parameters],
    defaultParameters: entry.default_parameters && (pick(entry.default_parameters, PARAMETERS) as DefaultParameters),
    supportedVoices: entry.supported_voices && [...entry.supported_voices],
    reasoning: entry.reasoning
      ? {
          mandatory: entry.reasoning.mandatory,
          default_enabled: entry.reasoning.default_enabled,
          default_effort: entry.reasoning.default_effort,
          supported_efforts: entry.reasoning.supported_efforts as string[] | null | undefined,
          supports_max_tokens: entry.reasoning.supports_max_tokens,
        }
      : null,
    knowledgeCutoff: entry.knowledge_cutoff ?? null,
    expirationDate: entry.expiration_date ?? null,
    benchmarks: entry.benchmarks ? toBenchmarks(entry.benchmarks) : null,
    traits: traitsOf(entry) ?? known?.traits ?? null,
  };
}

function toBenchmarks({ artificial_analysis: indices, design_arena: arenas }: BenchmarksEntry): ModelBenchmarks {
  return {
    ...(indices && {
      artificial_analysis: {
        intelligence_index: indices.intelligence_index,
        coding_index: indices.coding_index,
        agentic_index: indices.agentic_index,
      },
    }),
    design_arena: arenas.map(({ arena, category, elo, win_rate, rank }) => ({ arena, category, elo, win_rate, rank })),
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
