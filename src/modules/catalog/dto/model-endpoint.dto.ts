import { DataOf, ListOf } from '../../../http/schema/answer-shapes.js';
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
} from '../../../http/schema/fields.js';
import { OpenToFurtherFields } from '../../../http/schema/schema-registry.js';
import { ENDPOINT_STATUSES, QUANTIZATIONS, SUPPORTED_PARAMETERS } from '../model-vocabulary.js';
import { INSTRUCT_TYPES, TOKENIZERS } from '../model-vocabulary.js';
import { ModelPricing } from './model-pricing.dto.js';
import { ModelModalities } from './model.dto.js';

const TOKENS = { minimum: 0, maximum: 2147483647 };

const PERCENTILES_EXAMPLE = { p50: 0.5, p75: 0.8, p90: 1.2, p99: 3.1 };

/** A measured distribution. */
@OpenToFurtherFields()
export class PercentileStats {
  @NumberField({ description: 'Half of all requests stay below.', example: 0.5 })
  p50: number;

  @NumberField({ description: 'Three quarters of all requests stay below.', example: 0.8 })
  p75: number;

  @NumberField({ description: 'Nine of ten requests stay below.', example: 1.2 })
  p90: number;

  @NumberField({ description: '99 of 100 requests stay below.', example: 3.1 })
  p99: number;
}

/** The values of the parameter tool_choice that an endpoint takes. */
@OpenToFurtherFields()
export class ToolChoiceSupport {
  @BooleanField({ description: 'Whether it can leave the choice to the model.', example: true })
  auto: boolean;

  @BooleanField({ description: 'Whether it can be told which function to call.', example: true })
  function: boolean;

  @BooleanField({ description: 'Whether it can be told to call none.', example: true })
  none: boolean;

  @BooleanField({ description: 'Whether it can be told to call any.', example: false })
  required: boolean;
}

/** What an endpoint takes for tool_choice. */
export function ToolChoiceField(optional = false): PropertyDecorator {
  return ObjectField(() => ToolChoiceSupport, {
    description:
      'The values of tool_choice that it takes. Where an import leaves it out: all, if tool_choice is among its parameters, otherwise none.',
    optional,
  });
}

/** A part of requests that were answered. @param window over how long */
export function UptimeField(window: string, optional = false): PropertyDecorator {
  return NumberField({
    description: `The percentage of requests that were answered within the last ${window}, where it was measured.`,
    example: 99.9,
    nullable: true,
    optional,
  });
}

/** A distribution that was measured within the last half hour. */
export function MeasuredField(what: string, optional = false): PropertyDecorator {
  return ObjectField(() => PercentileStats, {
    description: `${what} within the last half hour, where it was measured.`,
    example: PERCENTILES_EXAMPLE,
    nullable: true,
    optional,
  });
}

/** What is told of an endpoint, whoever tells it. */
@OpenToFurtherFields()
export class ModelEndpointFacts {
  @TextField({ description: 'The name.', example: 'OpenAI | openai/gpt-5.5-20260423' })
  name: string;

  @IntegerField({ description: 'Tokens of context.', example: 1050000, ...TOKENS })
  context_length: number;

  @ObjectField(() => ModelPricing, { description: 'Prices in US dollars per unit, as decimal strings.' })
  pricing: ModelPricing;

  @TextField({
    description: "The provider's slug, with what sets this offer apart from its others.",
    example: 'deepinfra/fp8',
    pattern: '^[a-z0-9]+(?:[-.][a-z0-9]+)*(?:/[^/\\s]+)*$',
  })
  tag: string;

  @EnumField<string>(QUANTIZATIONS, { description: 'How weights are kept.', example: 'fp8', nullable: true })
  quantization: string | null;

  @IntegerField({ description: 'Tokens of one completion at most.', example: 128000, nullable: true, ...TOKENS })
  max_completion_tokens: number | null;

  @IntegerField({ description: 'Tokens of one prompt at most.', example: null, nullable: true, ...TOKENS })
  max_prompt_tokens: number | null;

  @EnumListField(SUPPORTED_PARAMETERS, { description: 'The parameters of requests.', example: ['max_tokens', 'tools'] })
  supported_parameters: readonly string[];

  @BooleanField({ description: 'Whether it reads from its cache without being asked to.', example: true })
  supports_implicit_caching: boolean;

  @BooleanField({ description: 'Whether it clones voices.', example: false, optional: true, default: false })
  supports_voice_cloning?: boolean;

  @SchemaField(() => ({ type: 'integer', enum: [...ENDPOINT_STATUSES] }), {
    description: 'How it does: 0 is well, the lower the worse.',
    example: 0,
    optional: true,
  })
  status?: number;
}

/** One provider's offer of a model. */
export class ModelEndpoint extends ModelEndpointFacts {
  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.5' })
  model_id: string;

  @TextField({ description: 'The name of the model.', example: 'OpenAI: GPT-5.5' })
  model_name: string;

  @TextField({ description: 'The name of the provider.', example: 'OpenAI' })
  provider_name: string;

  @ToolChoiceField()
  supports_tool_choice: ToolChoiceSupport;

  @UptimeField('five minutes')
  uptime_last_5m: number | null;

  @UptimeField('half hour')
  uptime_last_30m: number | null;

  @UptimeField('day')
  uptime_last_1d: number | null;

  @MeasuredField('Seconds to the first token')
  latency_last_30m: PercentileStats | null;

  @MeasuredField('Tokens a second')
  throughput_last_30m: PercentileStats | null;
}

/** What a model takes and gives, with everything said. */
export class EndpointsArchitecture extends ModelModalities {
  @EnumField<string>(TOKENIZERS, { description: 'The family of tokenizers; Other where it is not known.', example: 'GPT' })
  tokenizer: string;

  @EnumField<string>(INSTRUCT_TYPES, { description: 'The format of instructions.', example: null, nullable: true })
  instruct_type: string | null;
}

/** A model with its endpoints. */
export class ModelEndpoints {
  @TextField({ description: 'author/slug, with the suffix of a variant.', example: 'openai/gpt-5.5' })
  id: string;

  @TextField({ description: 'The name.', example: 'OpenAI: GPT-5.5' })
  name: string;

  @IntegerField({ description: 'When it was added, in Unix time (seconds).', example: 1777051893 })
  created: number;

  @TextField({ description: 'What it is.', example: 'A general model for text and images.' })
  description: string;

  @ObjectField(() => EndpointsArchitecture, { description: 'What it takes and gives.' })
  architecture: EndpointsArchitecture;

  @ObjectListField(() => ModelEndpoint, { description: 'Its endpoints; none where the catalog does not know them.' })
  endpoints: ModelEndpoint[];
}

/** The answer to listEndpoints. */
export class ListEndpointsResponse extends DataOf(ModelEndpoints) {}

/** The answer to listEndpointsZdr. */
export class ListEndpointsZdrResponse extends ListOf(ModelEndpoint) {}
