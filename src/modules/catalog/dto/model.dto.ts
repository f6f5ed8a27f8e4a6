import { DataOf } from '../../../http/schema/answer-shapes.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  SchemaField,
  TextField,
  TextListField,
} from '../../../http/schema/fields.js';
import { OpenToFurtherFields } from '../../../http/schema/schema-registry.js';
import { INPUT_MODALITIES, OUTPUT_MODALITIES } from '../modalities.js';
import { INSTRUCT_TYPES, REASONING_EFFORTS, SUPPORTED_PARAMETERS, TOKENIZERS } from '../model-vocabulary.js';
import { ModelPricing } from './model-pricing.dto.js';

/** What a model takes and gives, in a word and in a list. */
@OpenToFurtherFields()
export class ModelModalities {
  @TextField({ description: 'Inputs and outputs at a glance.', example: 'text+image->text', nullable: true })
  modality: string | null;

  @EnumListField(INPUT_MODALITIES, { description: 'What the model takes.', example: ['text', 'image'] })
  input_modalities: readonly string[];

  @EnumListField(OUTPUT_MODALITIES, { description: 'What the model gives.', example: ['text'] })
  output_modalities: readonly string[];
}

/** What a model takes and gives. */
export class ModelArchitecture extends ModelModalities {
  @EnumField<string>(TOKENIZERS, { description: 'The family of tokenizers.', example: 'GPT', optional: true })
  tokenizer?: string;

  @EnumField<string>(INSTRUCT_TYPES, {
    description: 'The format of instructions.',
    example: null,
    optional: true,
    nullable: true,
  })
  instruct_type?: string | null;
}

/** The provider that requests are routed to first. */
@OpenToFurtherFields()
export class TopProviderInfo {
  @IntegerField({ description: 'Tokens of context.', example: 1050000, optional: true, nullable: true })
  context_length?: number | null;

  @IntegerField({ description: 'Tokens of one completion at most.', example: 128000, optional: true, nullable: true })
  max_completion_tokens?: number | null;

  @BooleanField({ description: 'Whether the provider moderates requests.', example: true })
  is_moderated: boolean;
}

/** How many tokens one request may have. */
@OpenToFurtherFields()
export class PerRequestLimits {
  @NumberField({ description: 'Tokens of the prompt.', example: 100000 })
  prompt_tokens: number;

  @NumberField({ description: 'Tokens of the completion.', example: 10000 })
  completion_tokens: number;
}

/** What parameters are when a request does not say. */
@OpenToFurtherFields()
export class DefaultParameters {
  @NumberField({ description: 'Sampling temperature.', example: 1, optional: true, nullable: true })
  temperature?: number | null;

  @NumberField({ description: 'Nucleus sampling.', example: 0.95, optional: true, nullable: true })
  top_p?: number | null;

  @IntegerField({ description: 'Top-k sampling.', example: 40, optional: true, nullable: true })
  top_k?: number | null;

  @NumberField({ description: 'Penalty on frequent tokens.', example: 0, optional: true, nullable: true })
  frequency_penalty?: number | null;

  @NumberField({ description: 'Penalty on tokens that are there.', example: 0, optional: true, nullable: true })
  presence_penalty?: number | null;

  @NumberField({ description: 'Penalty on repetition.', example: 1, optional: true, nullable: true })
  repetition_penalty?: number | null;
}

/** How a model reasons before it answers. */
@OpenToFurtherFields()
export class ModelReasoning {
  @BooleanField({ description: 'Whether it cannot be switched off.', example: false })
  mandatory: boolean;

  @BooleanField({ description: 'Whether it is on when a request does not say.', example: true, optional: true })
  default_enabled?: boolean;

  @EnumField<string>(REASONING_EFFORTS, {
    description: 'The effort when a request does not say.',
    example: 'medium',
    optional: true,
    nullable: true,
  })
  default_effort?: string | null;

  @SchemaField(
    () => ({ type: ['array', 'null'], items: { type: ['string', 'null'], enum: [...REASONING_EFFORTS, null] } }),
    { description: 'The efforts that a request may ask for.', example: ['high', 'medium', 'low'], optional: true },
  )
  supported_efforts?: readonly (string | null)[] | null;

  @BooleanField({ description: 'Whether a request may bound it in tokens.', example: true, optional: true })
  supports_max_tokens?: boolean;
}

/** How a model has done in the tests of Artificial Analysis. */
@OpenToFurtherFields()
export class ModelIndices {
  @NumberField({ description: 'Intelligence.', example: 57.2, nullable: true })
  intelligence_index: number | null;

  @NumberField({ description: 'Coding.', example: 51.8, nullable: true })
  coding_index: number | null;

  @NumberField({ description: 'Agentic work.', example: 48.1, nullable: true })
  agentic_index: number | null;
}

/** How a model has done in one arena of Design Arena. */
@OpenToFurtherFields()
export class ModelArenaResult {
  @TextField({ description: 'The arena.', example: 'models' })
  arena: string;

  @TextField({ description: 'The kind of task.', example: 'website' })
  category: string;

  @NumberField({ description: 'The rating.', example: 1284.4 })
  elo: number;

  @NumberField({ description: 'The percentage of comparisons that it has won.', example: 58.3 })
  win_rate: number;

  @IntegerField({ description: 'Its rank, from 1.', example: 4 })
  rank: number;
}

/** How a model has done in tests of others. */
@OpenToFurtherFields()
export class ModelBenchmarks {
  @ObjectField(() => ModelIndices, { description: 'In the tests of Artificial Analysis.', optional: true })
  artificial_analysis?: ModelIndices;

  @ObjectListField(() => ModelArenaResult, { description: 'In Design Arena.' })
  design_arena: readonly ModelArenaResult[];
}

/** Where more about a model is to be found. */
export class ModelLinks {
  @TextField({ description: "The model's endpoints.", example: '/api/v1/models/openai/gpt-5.5-20260423/endpoints' })
  details: string;
}

/** A model, as every list of models shows it; links depend on the deployment. */
@OpenToFurtherFields()
export class ModelFacts {
  @TextField({ description: 'author/slug, with the suffix of a variant.', example: 'openai/gpt-5.5', pattern: '^[^/\\s]+/[^/\\s]+$' })
  id: string;

  @TextField({ description: 'The immutable identifier.', example: 'openai/gpt-5.5-20260423', pattern: '^[^/\\s]+/[^/\\s]+$' })
  canonical_slug: string;

  @TextField({ description: 'The id on Hugging Face.', example: null, optional: true, nullable: true })
  hugging_face_id?: string | null;

  @TextField({ description: 'The name.', example: 'OpenAI: GPT-5.5' })
  name: string;

  @IntegerField({ description: 'When it was added, in Unix time (seconds).', example: 1777051893, minimum: 0, maximum: 2147483647 })
  created: number;

  @TextField({ description: 'What it is.', example: 'A general model for text and images.' })
  description: string;

  @IntegerField({ description: 'Tokens of context.', example: 1050000, nullable: true, minimum: 0, maximum: 2147483647 })
  context_length: number | null;

  @ObjectField(() => ModelArchitecture, { description: 'What it takes and gives.' })
  architecture: ModelArchitecture;

  @ObjectField(() => ModelPricing, { description: 'Prices in US dollars per unit, as decimal strings.' })
  pricing: ModelPricing;

  @ObjectField(() => TopProviderInfo, { description: 'The provider that requests are routed to first.' })
  top_provider: TopProviderInfo;

  @ObjectField(() => PerRequestLimits, { description: 'Limits of one request.', nullable: true })
  per_request_limits: PerRequestLimits | null;

  @EnumListField(SUPPORTED_PARAMETERS, { description: 'The parameters of requests.', example: ['max_tokens', 'tools'] })
  supported_parameters: readonly string[];

  @ObjectField(() => DefaultParameters, { description: 'Parameters when a request does not say.', nullable: true })
  default_parameters: DefaultParameters | null;

  @TextListField({ description: 'The voices of a model that speaks.', example: null, nullable: true })
  supported_voices: readonly string[] | null;

  @ObjectField(() => ModelReasoning, { description: 'How it reasons, where it does.', optional: true })
  reasoning?: ModelReasoning;

  @ObjectField(() => ModelBenchmarks, { description: 'How it has done in tests of others, where it is known.', optional: true })
  benchmarks?: ModelBenchmarks;

  @TextField({ description: 'The date that its knowledge ends.', example: '2025-12-01', optional: true, nullable: true })
  knowledge_cutoff?: string | null;

  @TextField({ description: 'The date that it is withdrawn.', example: null, optional: true, nullable: true })
  expiration_date?: string | null;
}

/** A model (SERVICE.md, section 2.8). */
export class Model extends ModelFacts {
  @ObjectField(() => ModelLinks, { description: 'Where more is to be found.' })
  links: ModelLinks;
}

/** The answer to getModel. */
export class ModelResponse extends DataOf(Model) {}
