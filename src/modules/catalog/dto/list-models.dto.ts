import { DataOf, PageOf } from '../../../http/schema/answer-shapes.js';
import { EnumField, IntegerField, NumberField, ObjectField, TextField } from '../../../http/schema/fields.js';
import { INPUT_MODALITIES, OUTPUT_MODALITIES } from '../modalities.js';
import { CATEGORIES, MODEL_ORDERS, type ModelOrder, SUPPORTED_PARAMETERS } from '../model-vocabulary.js';
import { Model } from './model.dto.js';

/** Several of some words, with commas between them. */
function SomeOfField(words: readonly string[], description: string, example: string): PropertyDecorator {
  const word = `(?:${words.join('|')})`;
  return TextField({ description, example, pattern: `^${word}(?:,${word})*$`, optional: true });
}

/** Several names, with commas between them, in any case. */
function NamesField(description: string, example: string): PropertyDecorator {
  return TextField({ description, example, minLength: 1, optional: true });
}

function AtLeastField(what: string, example: number, maximum?: number): PropertyDecorator {
  return NumberField({ description: `At least this ${what}.`, example, minimum: 0, maximum, optional: true });
}

function AtMostField(what: string, example: number, maximum?: number): PropertyDecorator {
  return NumberField({ description: `At most this ${what}.`, example, minimum: 0, maximum, optional: true });
}

const DAYS = 'many days since it was added';

/** What models give. */
function OutputsField(): PropertyDecorator {
  const output = `(?:${OUTPUT_MODALITIES.join('|')})`;
  return TextField({
    description: 'Models that give any of these, with commas between them, or all models.',
    example: 'text,image',
    pattern: `^(?:all|${output}(?:,${output})*)$`,
    optional: true,
    default: 'text',
  });
}

/** Which models to count. */
export class CountModelsQuery {
  @OutputsField()
  output_modalities?: string;
}

/** The page that a list of models answers: longer ones than other lists. */
export class ModelsPageQuery {
  @IntegerField({ description: 'How many models to skip.', example: 0, minimum: 0, optional: true, default: 0 })
  offset?: number;

  @IntegerField({
    description: 'How many models to answer at most.',
    example: 500,
    minimum: 1,
    maximum: 1000,
    optional: true,
    default: 500,
  })
  limit?: number;
}

/** Which of the models that a caller may use to list. */
export class UserModelsQuery extends ModelsPageQuery {
  @OutputsField()
  output_modalities?: string;
}

/**
 * Which models to list: those that every parameter lets pass. What a parameter asks for and the catalog does not know of a
 * model does not let it pass.
 */
export class ListModelsQuery extends ModelsPageQuery {
  @OutputsField()
  output_modalities?: string;

  @SomeOfField(INPUT_MODALITIES, 'Models that take all of these.', 'text,image')
  input_modalities?: string;

  @SomeOfField(SUPPORTED_PARAMETERS, 'Models that know all of these parameters.', 'tools,seed')
  supported_parameters?: string;

  @EnumField(CATEGORIES, { description: 'Models that are used for this.', example: 'programming', optional: true })
  category?: (typeof CATEGORIES)[number];

  @TextField({
    description: 'Models with each of these words in their name or slug, in any case.',
    example: 'claude sonnet',
    minLength: 1,
    optional: true,
  })
  q?: string;

  @NamesField('Models of any of these families of tokenizers, which may go on behind what is given.', 'GPT,Llama')
  arch?: string;

  @NamesField('Models of any of these authors.', 'openai,anthropic')
  model_authors?: string;

  @NamesField('Models that any of these providers serves, by slug or name.', 'deepinfra,Together')
  providers?: string;

  @IntegerField({ description: 'At least this many tokens of context.', example: 128000, minimum: 1, optional: true })
  context?: number;

  @AtLeastField('price of a million prompt tokens in US dollars', 0)
  min_price?: number;

  @AtMostField('price of a million prompt tokens in US dollars', 2.5)
  max_price?: number;

  @AtLeastField('price of a million completion tokens in US dollars', 0)
  min_output_price?: number;

  @AtMostField('price of a million completion tokens in US dollars', 10)
  max_output_price?: number;

  @EnumField(['true', 'false'], {
    description: 'Models whose answers may, or may not, be used to train others.',
    example: 'true',
    optional: true,
  })
  distillable?: 'true' | 'false';

  @EnumField(['true'], {
    description: 'Models with an endpoint that retains nothing of a request.',
    example: 'true',
    optional: true,
  })
  zdr?: 'true';

  @EnumField(['eu', 'us'], {
    description: 'Models with an endpoint whose provider has a data center there.',
    example: 'eu',
    optional: true,
  })
  region?: 'eu' | 'us';

  @IntegerField({ description: `At least this ${DAYS}.`, example: 0, minimum: 0, optional: true })
  min_age_days?: number;

  @IntegerField({ description: `At most this ${DAYS}.`, example: 365, minimum: 0, optional: true })
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

  @AtLeastField('part of its calls of tools succeeds', 0.9, 1)
  min_tool_success_rate?: number;

  @AtMostField('part of its calls of tools succeeds', 1, 1)
  max_tool_success_rate?: number;

  @EnumField(MODEL_ORDERS, {
    description: 'What comes first; oldest when left out. Models of which that is not known come last.',
    example: 'newest',
    optional: true,
  })
  sort?: ModelOrder;

  @EnumField(['true', 'false'], {
    description: 'Whether to answer an RSS feed, newest first unless sorted otherwise.',
    example: 'false',
    optional: true,
  })
  use_rss?: 'true' | 'false';

  @EnumField(['true', 'false'], {
    description: 'Accepted for clients of the public interface: there is no chat that a feed could lead to.',
    example: 'false',
    optional: true,
  })
  use_rss_chat_links?: 'true' | 'false';
}

/** How many models there are. */
export class ModelsCount {
  @IntegerField({ description: 'The number of models.', example: 364, minimum: 0 })
  count: number;
}

/** The answer to listModelsCount. */
export class ModelsCountResponse extends DataOf(ModelsCount) {}

/** Where a list goes on. */
export class ModelsPageLinks {
  @TextField({
    description: 'The path of the next page; null on the last one.',
    example: '/api/v1/models?offset=500&limit=500',
    nullable: true,
  })
  next: string | null;
}

/** A page of a list of models. */
export class ListModelsResponse extends PageOf(Model) {
  @ObjectField(() => ModelsPageLinks, { description: 'Where the list goes on.' })
  links: ModelsPageLinks;
}
