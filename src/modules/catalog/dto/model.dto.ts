import { DataOf } from '../../../http/openapi/response-envelopes.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
  TextListField,
} from '../../../http/validation/fields.js';
import { AdditionalProperties } from '../../../http/validation/dto-fields.js';
import {
  INPUT_MODALITIES,
  OUTPUT_MODALITIES,
  INSTRUCT_TYPES,
  REASONING_EFFORTS,
  SUPPORTED_PARAMETERS,
  TOKENIZERS,
} from '../model-vocabulary.js';
import { ModelPricing } from './model-pricing.dto.js';

/** The modalities of a model, as a text and as lists. */
@AdditionalProperties()
export class ModelModalities {
  @TextField({
    description: 'Input and output modalities in one text, as `text+image->text`.',
    example: 'text+image->text',
    nullable: true,
  })
  modality: string | null;

  @EnumListField(INPUT_MODALITIES, { description: 'The input modalities.', example: ['text', 'image'] })
  input_modalities: readonly string[];

  @EnumListField(OUTPUT_MODALITIES, { description: 'The output modalities.', example: ['text'] })
  output_modalities: readonly string[];
}

/** The architecture of a model. */
export class ModelArchitecture extends ModelModalities {
  @EnumField<string>(TOKENIZERS, { description: 'The tokenizer family.', example: 'GPT', optional: true })
  tokenizer?: string;

  @EnumField<string>(INSTRUCT_TYPES, {
    description: 'The instruction format; null if none.',
    example: null,
    optional: true,
    nullable: true,
  })
  instruct_type?: string | null;
}

/** The provider that requests are routed to first. */
@AdditionalProperties()
export class TopProviderInfo {
  @IntegerField({ description: 'The context length in tokens.', example: 1050000, optional: true, nullable: true })
  context_length?: number | null;

  @IntegerField({
    description: 'The maximum number of completion tokens.',
    example: 128000,
    optional: true,
    nullable: true,
  })
  max_completion_tokens?: number | null;

  @BooleanField({ description: 'Whether the provider moderates requests.', example: true })
  is_moderated: boolean;
}

/** The maximum number of tokens of one request. */
@AdditionalProperties()
export class PerRequestLimits {
  @NumberField({ description: 'The number of prompt tokens.', example: 100000 })
  prompt_tokens: number;

  @NumberField({ description: 'The number of completion tokens.', example: 10000 })
  completion_tokens: number;
}

/** Default values of request parameters. */
@AdditionalProperties()
export class DefaultParameters {
  @NumberField({ description: 'The sampling temperature.', example: 1, optional: true, nullable: true })
  temperature?: number | null;

  @NumberField({
    description: 'Nucleus sampling: the likeliest tokens whose probabilities add up to this share.',
    example: 0.95,
    optional: true,
    nullable: true,
  })
  top_p?: number | null;

  @IntegerField({ description: 'Top-k sampling.', example: 40, optional: true, nullable: true })
  top_k?: number | null;

  @NumberField({ description: 'The frequency penalty.', example: 0, optional: true, nullable: true })
  frequency_penalty?: number | null;

  @NumberField({ description: 'The presence penalty.', example: 0, optional: true, nullable: true })
  presence_penalty?: number | null;

  @NumberField({ description: 'The repetition penalty.', example: 1, optional: true, nullable: true })
  repetition_penalty?: number | null;
}

/** How a model reasons before it answers. */
@AdditionalProperties()
export class ModelReasoning {
  @BooleanField({ description: 'Whether reasoning cannot be switched off.', example: false })
  mandatory: boolean;

  @BooleanField({ description: 'Whether reasoning is on by default.', example: true, optional: true })
  default_enabled?: boolean;

  @EnumField<string>(REASONING_EFFORTS, {
    description: 'The default reasoning effort.',
    example: 'medium',
    optional: true,
    nullable: true,
  })
  default_effort?: string | null;

  @EnumListField<string>(REASONING_EFFORTS, {
    description: 'The supported reasoning efforts.',
    example: ['high', 'medium', 'low'],
    optional: true,
    nullable: true,
    nullableItems: true,
  })
  supported_efforts?: readonly (string | null)[] | null;

  @BooleanField({ description: 'Whether a request can limit the reasoning tokens.', example: true, optional: true })
  supports_max_tokens?: boolean;
}

/** Results in the benchmarks of Artificial Analysis. */
@AdditionalProperties()
export class ModelIndices {
  @NumberField({ description: 'The intelligence index.', example: 57.2, nullable: true })
  intelligence_index: number | null;

  @NumberField({ description: 'The coding index.', example: 51.8, nullable: true })
  coding_index: number | null;

  @NumberField({ description: 'The agentic index.', example: 48.1, nullable: true })
  agentic_index: number | null;
}

/** Results in one arena of Design Arena. */
@AdditionalProperties()
export class ModelArenaResult {
  @TextField({ description: 'The name of the arena.', example: 'models' })
  arena: string;

  @TextField({ description: 'The category of tasks.', example: 'website' })
  category: string;

  @NumberField({ description: 'The Elo rating.', example: 1284.4 })
  elo: number;

  @NumberField({ description: 'The percentage of comparisons that the model won.', example: 58.3 })
  win_rate: number;

  @IntegerField({ description: 'The rank, from 1.', example: 4 })
  rank: number;
}

/** Results in public benchmarks. */
@AdditionalProperties()
export class ModelBenchmarks {
  @ObjectField(() => ModelIndices, { description: 'Results in the benchmarks of Artificial Analysis.', optional: true })
  artificial_analysis?: ModelIndices;

  @ObjectListField(() => ModelArenaResult, { description: 'Results in Design Arena.' })
  design_arena: readonly ModelArenaResult[];
}

/** Links to further pages about a model. */
export class ModelLinks {
  @TextField({
    description: "The path of the list of the model's endpoints.",
    example: '/api/v1/models/openai/gpt-5.5-20260423/endpoints',
  })
  details: string;
}

/** A model, as every list of models shows it; links depend on the deployment. */
@AdditionalProperties()
export class ModelFacts {
  @TextField({
    description: 'The id: author/slug, with the suffix of a variant.',
    example: 'openai/gpt-5.5',
    pattern: '^[^/\\s]+/[^/\\s]+$',
  })
  id: string;

  @TextField({
    description: 'The canonical slug, which never changes.',
    example: 'openai/gpt-5.5-20260423',
    pattern: '^[^/\\s]+/[^/\\s]+$',
  })
  canonical_slug: string;

  @TextField({ description: 'The id on Hugging Face.', example: null, optional: true, nullable: true })
  hugging_face_id?: string | null;

  @TextField({ description: 'The name.', example: 'OpenAI: GPT-5.5' })
  name: string;

  @IntegerField({
    description: 'When the model was added, as Unix time in seconds.',
    example: 1777051893,
    minimum: 0,
    maximum: 2147483647,
  })
  created: number;

  @TextField({ description: 'The description.', example: 'A general model for text and images.' })
  description: string;

  @IntegerField({
    description: 'The context length in tokens.',
    example: 1050000,
    nullable: true,
    minimum: 0,
    maximum: 2147483647,
  })
  context_length: number | null;

  @ObjectField(() => ModelArchitecture, { description: 'Input and output modalities.' })
  architecture: ModelArchitecture;

  @ObjectField(() => ModelPricing, { description: 'Prices in US dollars per unit, as decimal strings.' })
  pricing: ModelPricing;

  @ObjectField(() => TopProviderInfo, { description: 'Facts about the provider that requests are routed to first.' })
  top_provider: TopProviderInfo;

  @ObjectField(() => PerRequestLimits, { description: 'Limits of one request.', nullable: true })
  per_request_limits: PerRequestLimits | null;

  @EnumListField(SUPPORTED_PARAMETERS, {
    description: 'The supported request parameters.',
    example: ['max_tokens', 'tools'],
  })
  supported_parameters: readonly string[];

  @ObjectField(() => DefaultParameters, { description: 'Default values of request parameters.', nullable: true })
  default_parameters: DefaultParameters | null;

  @TextListField({ description: 'The voices of a speech model.', example: null, nullable: true })
  supported_voices: readonly string[] | null;

  @ObjectField(() => ModelReasoning, {
    description: 'How the model reasons; absent for models that do not reason.',
    optional: true,
  })
  reasoning?: ModelReasoning;

  @ObjectField(() => ModelBenchmarks, { description: 'Results in public benchmarks, if known.', optional: true })
  benchmarks?: ModelBenchmarks;

  @TextField({ description: 'The knowledge cutoff date.', example: '2025-12-01', optional: true, nullable: true })
  knowledge_cutoff?: string | null;

  @TextField({
    description: 'The date on which the model is withdrawn.',
    example: null,
    optional: true,
    nullable: true,
  })
  expiration_date?: string | null;
}

/** A model (docs/interface/catalog.md#a-model). */
export class Model extends ModelFacts {
  @ObjectField(() => ModelLinks, { description: 'Links.' })
  links: ModelLinks;
}

/** The answer to getModel. */
export class ModelResponse extends DataOf(Model) {}

/** The name of a model, with or without its author. */
export class ModelNamePath {
  @TextField({
    description:
      'The name of a model, with `%2F` for its slash. The author may be left out where no other has a model of this slug.',
    example: 'openai%2Fgpt-5.5',
    minLength: 1,
  })
  model: string;
}

/** A model as OpenAI's clients read it, with all that the catalog says of it. */
export class ModelObject extends Model {
  @EnumField(['model'], { description: 'The type of the object.' })
  object: 'model';

  @TextField({ description: 'The author.', example: 'openai' })
  owned_by: string;
}
