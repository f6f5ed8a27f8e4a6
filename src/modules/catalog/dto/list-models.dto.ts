import { DataOf, PageOf } from '../../../http/openapi/response-envelopes.js';
import { EnumField, IntegerField, NumberField, ObjectField, TextField } from '../../../http/validation/fields.js';
import {
  INPUT_MODALITIES,
  OUTPUT_MODALITIES,
  CATEGORIES,
  MODEL_ORDERS,
  type ModelOrder,
  SUPPORTED_PARAMETERS,
} from '../model-vocabulary.js';
import { ModelObject } from './model.dto.js';

/** An author and a slug. */
const MODEL_ID = '^[^/\\s]+/[^/\\s]+$';

/** One or more of the allowed values, separated by commas. */
function SomeOfField(words: readonly string[], description: string, example: string): PropertyDecorator {
  const word = `(?:${words.join('|')})`;
  return TextField({ description, example, pattern: `^${word}(?:,${word})*$`, optional: true });
}

/** Several names, separated by commas, in any case. */
function NamesField(description: string, example: string): PropertyDecorator {
  return TextField({ description, example, minLength: 1, optional: true });
}

function AtLeastField(what: string, example: number, maximum?: number): PropertyDecorator {
  return NumberField({
    description: `Only models with at least this ${what}.`,
    example,
    minimum: 0,
    maximum,
    optional: true,
  });
}

function AtMostField(what: string, example: number, maximum?: number): PropertyDecorator {
  return NumberField({
    description: `Only models with at most this ${what}.`,
    example,
    minimum: 0,
    maximum,
    optional: true,
  });
}

function OutputsField(): PropertyDecorator {
  const output = `(?:${OUTPUT_MODALITIES.join('|')})`;
  return TextField({
    description: 'Only models with any of these output modalities, separated by commas; `all` for all models.',
    example: 'text,image',
    pattern: `^(?:all|${output}(?:,${output})*)$`,
    optional: true,
    default: 'text',
  });
}

/** Filters for counting models. */
export class CountModelsQuery {
  @OutputsField()
  output_modalities?: string;
}

/** The requested page of a list of models, which may be longer than in other lists. */
export class ModelsPageQuery {
  @IntegerField({ description: 'The number of models to skip.', example: 0, minimum: 0, optional: true, default: 0 })
  offset?: number;

  @IntegerField({
    description: 'The maximum number of models to return.',
    example: 500,
    minimum: 1,
    maximum: 1000,
    optional: true,
    default: 500,
  })
  limit?: number;
}

/** Filters of the list of models that a caller may use. */
export class UserModelsQuery extends ModelsPageQuery {
  @OutputsField()
  output_modalities?: string;
}

/** The filters of the list of models. A model must match all of them; an unknown fact matches none. */
export class ListModelsQuery extends ModelsPageQuery {
  @OutputsField()
  output_modalities?: string;

  @SomeOfField(INPUT_MODALITIES, 'Only models with all of these input modalities.', 'text,image')
  input_modalities?: string;

  @SomeOfField(SUPPORTED_PARAMETERS, 'Only models that support all of these parameters.', 'tools,seed')
  supported_parameters?: string;

  @EnumField(CATEGORIES, { description: 'Only models of this category.', example: 'programming', optional: true })
  category?: (typeof CATEGORIES)[number];

  @TextField({
    description: 'Only models with all of these words in their name or slug, ignoring case.',
    example: 'claude sonnet',
    minLength: 1,
    optional: true,
  })
  q?: string;

  @NamesField('Only models whose tokenizer family starts with any of these names.', 'GPT,Llama')
  arch?: string;

  @NamesField('Only models of any of these authors.', 'openai,anthropic')
  model_authors?: string;

  @NamesField('Only models that any of these providers serves, by slug or name.', 'deepinfra,Together')
  providers?: string;

  @IntegerField({
    description: 'Only models with a context length of at least this many tokens.',
    example: 128000,
    minimum: 1,
    optional: true,
  })
  context?: number;

  @AtLeastField('price per million prompt tokens in US dollars', 0)
  min_price?: number;

  @AtMostField('price per million prompt tokens in US dollars', 2.5)
  max_price?: number;

  @AtLeastField('price per million completion tokens in US dollars', 0)
  min_output_price?: number;

  @AtMostField('price per million completion tokens in US dollars', 10)
  max_output_price?: number;

  @EnumField(['true', 'false'], {
    description: 'Only models whose output may (true) or may not (false) be used to train other models.',
    example: 'true',
    optional: true,
  })
  distillable?: 'true' | 'false';

  @EnumField(['true'], {
    description: 'Only models with an endpoint that retains nothing of a request.',
    example: 'true',
    optional: true,
  })
  zdr?: 'true';

  @EnumField(['eu', 'us'], {
    description: 'Only models with an endpoint whose provider has a data center in this region.',
    example: 'eu',
    optional: true,
  })
  region?: 'eu' | 'us';

  @IntegerField({
    description: 'Only models that were added at least this number of days ago.',
    example: 0,
    minimum: 0,
    optional: true,
  })
  min_age_days?: number;

  @IntegerField({
    description: 'Only models that were added at most this number of days ago.',
    example: 365,
    minimum: 0,
    optional: true,
  })
  max_age_days?: number;

  @AtLeastField('intelligence index', 40)
  min_intelligence_index?: number;

  @AtMostField('intelligence index', 80)
  max_intelligence_index?: number;

  @AtLeastField('coding index', 40)
  min_coding_index?: number;

  @AtMostField('coding index', 80)
  max_coding_index?: number;

  @AtLeastField('agentic index', 40)
  min_agentic_index?: number;

  @AtMostField('agentic index', 80)
  max_agentic_index?: number;

  @AtLeastField('share of successful tool calls, from 0 to 1', 0.9, 1)
  min_tool_success_rate?: number;

  @AtMostField('share of successful tool calls, from 0 to 1', 1, 1)
  max_tool_success_rate?: number;

  @EnumField(MODEL_ORDERS, {
    description: 'The order; oldest first by default. Models for which the value is unknown come last.',
    example: 'newest',
    optional: true,
  })
  sort?: ModelOrder;

  @EnumField(['true', 'false'], {
    description: 'Whether to return an RSS feed, newest first unless `sort` says otherwise.',
    example: 'false',
    optional: true,
  })
  use_rss?: 'true' | 'false';

  @EnumField(['true', 'false'], {
    description: 'Accepted for compatibility, without effect.',
    example: 'false',
    optional: true,
  })
  use_rss_chat_links?: 'true' | 'false';

  @TextField({
    description: 'In the Messages form: only models behind the one with this id.',
    example: 'openai/gpt-5.5',
    pattern: MODEL_ID,
    optional: true,
  })
  after_id?: string;

  @TextField({
    description: 'In the Messages form: only models in front of the one with this id, the next ones to it.',
    example: 'openai/gpt-5.5',
    pattern: MODEL_ID,
    optional: true,
  })
  before_id?: string;

  @EnumField(['true', 'false'], {
    description: 'Accepted for clients of the Messages form, without effect.',
    example: 'true',
    optional: true,
  })
  beta?: 'true' | 'false';
}

/** How many models there are. */
export class ModelsCount {
  @IntegerField({ description: 'The number of models.', example: 364, minimum: 0 })
  count: number;
}

/** The answer to listModelsCount. */
export class ModelsCountResponse extends DataOf(ModelsCount) {}

/** Links to other pages of a list. */
export class ModelsPageLinks {
  @TextField({
    description: 'The path of the next page; null on the last page.',
    example: '/api/v1/models?offset=500&limit=500',
    nullable: true,
  })
  next: string | null;
}

/** A page of a list of models. */
export class ListModelsResponse extends PageOf(ModelObject) {
  @EnumField(['list'], { description: 'The type of the object.' })
  object: 'list';

  @ObjectField(() => ModelsPageLinks, { description: 'Links to other pages of the list.' })
  links: ModelsPageLinks;
}
