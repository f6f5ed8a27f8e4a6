import { fieldsOf } from '../../../http/validation/dto-fields.js';
import { ModelPricing } from '../dto/model-pricing.dto.js';
import {
  DefaultParameters,
  type ModelArchitecture,
  ModelBenchmarks,
  ModelReasoning,
  type TopProviderInfo,
} from '../dto/model.dto.js';
import { ModelCapabilities } from '../capabilities/model-capabilities.js';
import type { ImageEndpointEntity } from '../entities/model-endpoint.entity.js';
import type { ModelEntity } from '../entities/model.entity.js';
import type { ModelTraits } from '../model-facts.js';
import {
  ArchitectureEntry,
  type DetailedImageModelEntry,
  type ImageModelEntry,
  type ModelEntry,
  TopProviderEntry,
} from './catalog-entry.dto.js';
import { declaredFields } from './declared-fields.js';

const PRICES = [...fieldsOf(ModelPricing).keys()];

/** The facts of a model, without the lists that contain it. */
export type ModelRow = Omit<ModelEntity, 'inModelList' | 'inImageModelList' | 'isOwn'>;

/** What the catalog knows of a model before the import of an entry. */
export interface KnownModel {
  /** The stored row; undefined for a new model. */
  readonly known: ModelRow | undefined;
  /**
   * Whether fields that the entry leaves out keep what is stored, as in the operator's own lists. In public lists, which are
   * complete, they are unknown; but what those lists never have is kept there too.
   */
  readonly isPartial: boolean;
}

/**
 * The row of an entry of the list of models. Unknown fields are dropped, and fields that are left out have the defaults of
 * docs/interface/catalog-import.md.
 *
 * @returns undefined for a model without prices, since nothing could be charged for it
 */
export function toModelRow(entry: ModelEntry, { known, isPartial }: KnownModel): ModelRow | undefined {
  const kept = isPartial ? known : undefined;
  const contextLength = given(entry.context_length, kept?.contextLength, null);
  const pricing = entry.pricing ? knownPrices(entry.pricing) : kept?.pricing;
  if (pricing === undefined) return undefined;
  return {
    id: entry.id,
    canonicalSlug: entry.canonical_slug ?? known?.canonicalSlug ?? entry.id.split(':')[0]!,
    huggingFaceId: given(entry.hugging_face_id, kept?.huggingFaceId, null),
    name: entry.name ?? kept?.name ?? entry.id,
    description: entry.description ?? kept?.description ?? '',
    created: entry.created ?? known?.created ?? Math.floor(Date.now() / 1000),
    contextLength,
    architecture: architectureOf(entry, kept?.architecture),
    pricing,
    topProvider: topProviderOf(entry, contextLength, kept?.topProvider),
    perRequestLimits: given(entry.per_request_limits, kept?.perRequestLimits, null),
    supportedParameters: [...(entry.supported_parameters ?? kept?.supportedParameters ?? [])],
    defaultParameters: given(
      entry.default_parameters && { ...declaredFields(DefaultParameters, entry.default_parameters) },
      kept?.defaultParameters,
      null,
    ),
    supportedVoices: given(entry.supported_voices && [...entry.supported_voices], kept?.supportedVoices, null),
    reasoning: entry.reasoning ? declaredFields(ModelReasoning, entry.reasoning) : (kept?.reasoning ?? null),
    knowledgeCutoff: given(entry.knowledge_cutoff, kept?.knowledgeCutoff, null),
    expirationDate: given(entry.expiration_date, kept?.expirationDate, null),
    benchmarks: entry.benchmarks ? declaredFields(ModelBenchmarks, entry.benchmarks) : (kept?.benchmarks ?? null),
    traits: traitsOf(entry, known?.traits),
    capabilities: entry.capabilities
      ? declaredFields(ModelCapabilities, entry.capabilities)
      : (known?.capabilities ?? null),
  };
}

/** What an entry says, which may be null, or else what is kept, or else the default. */
function given<T>(value: T | undefined, kept: T | undefined, otherwise: T): T {
  return value === undefined ? (kept === undefined ? otherwise : kept) : value;
}

/** A model takes text and answers with text, unless something else is known of it. */
function architectureOf({ architecture = {} }: ModelEntry, kept: ModelArchitecture | undefined): ModelArchitecture {
  const stated = declaredFields(ArchitectureEntry, architecture);
  const lists = {
    input_modalities: stated.input_modalities ?? kept?.input_modalities ?? ['text'],
    output_modalities: stated.output_modalities ?? kept?.output_modalities ?? ['text'],
  };
  return { ...kept, ...stated, ...lists, modality: given(stated.modality, modalityOf(lists), null) };
}

function modalityOf({
  input_modalities: inputs,
  output_modalities: outputs,
}: Pick<ModelArchitecture, 'input_modalities' | 'output_modalities'>): string {
  return `${inputs.join('+')}->${outputs.join('+')}`;
}

function topProviderOf(
  { top_provider: stated }: ModelEntry,
  contextLength: number | null,
  kept: TopProviderInfo | undefined,
): TopProviderInfo {
  if (stated === undefined && kept === undefined) {
    return { context_length: contextLength, max_completion_tokens: null, is_moderated: false };
  }
  return { is_moderated: false, ...kept, ...(stated && declaredFields(TopProviderEntry, stated)) };
}

/** What public lists do not have, and so keep. */
function traitsOf(entry: ModelEntry, known: ModelTraits | null = null): ModelTraits | null {
  const { categories, distillable, tool_success_rate, image_tokens } = entry;
  const stated = Object.entries({ categories, distillable, tool_success_rate, image_tokens }).filter(
    ([, trait]) => trait !== undefined,
  );
  return stated.length === 0 ? known : { ...known, ...Object.fromEntries(stated) };
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
      modality: modalityOf(entry.architecture),
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
    capabilities: null,
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

function pick<T extends object>(object: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name))) as T;
}
