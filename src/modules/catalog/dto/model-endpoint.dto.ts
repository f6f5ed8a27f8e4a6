import {
  TextField,
  BooleanField,
  EnumField,
  EnumListField,
  FreeObjectField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
} from '../../../http/validation/fields.js';
import { DataOf, ListOf } from '../../../http/openapi/response-envelopes.js';
import { AdditionalProperties } from '../../../http/validation/dto-fields.js';
import {
  ENDPOINT_STATUSES,
  QUANTIZATIONS,
  SUPPORTED_PARAMETERS,
  INSTRUCT_TYPES,
  TOKENIZERS,
} from '../model-vocabulary.js';
import { ModelPricing } from './model-pricing.dto.js';
import { ModelModalities } from './model.dto.js';

/** Which model. */
export class ModelPath {
  @TextField({ description: 'The author or organization of the model.', example: 'openai', minLength: 1 })
  author: string;

  @TextField({
    description: 'The slug, optionally with a variant suffix after a colon. Aliases are resolved.',
    example: 'gpt-5.5',
    minLength: 1,
  })
  slug: string;
}

const TOKENS = { minimum: 0, maximum: 2147483647 };

const PERCENTILES_EXAMPLE = { p50: 0.5, p75: 0.8, p90: 1.2, p99: 3.1 };

/** A measured distribution. */
@AdditionalProperties()
export class PercentileStats {
  @NumberField({ description: 'The median.', example: 0.5 })
  p50: number;

  @NumberField({ description: 'The 75th percentile.', example: 0.8 })
  p75: number;

  @NumberField({ description: 'The 90th percentile.', example: 1.2 })
  p90: number;

  @NumberField({ description: 'The 99th percentile.', example: 3.1 })
  p99: number;
}

/** Measurements of one kind of work. */
@AdditionalProperties()
export class WorkloadPerformance {
  @ObjectField(() => PercentileStats, {
    description: 'Seconds to the first token.',
    example: PERCENTILES_EXAMPLE,
    nullable: true,
  })
  latency: PercentileStats | null;

  @ObjectField(() => PercentileStats, {
    description: 'Tokens per second.',
    example: PERCENTILES_EXAMPLE,
    nullable: true,
  })
  throughput: PercentileStats | null;

  @IntegerField({ description: 'The number of requests.', example: 1200, nullable: true })
  request_count: number | null;
}

function WorkloadField(work: string): PropertyDecorator {
  return ObjectField(() => WorkloadPerformance, { description: `Measurements of ${work}.`, optional: true });
}

/** Measurements by the kind of work; kinds that were not measured are left out. */
@AdditionalProperties()
export class PerformanceByWorkload {
  @WorkloadField('text generation')
  text_generation?: WorkloadPerformance;

  @WorkloadField('embeddings')
  embeddings?: WorkloadPerformance;

  @WorkloadField('image generation')
  image_generation?: WorkloadPerformance;

  @WorkloadField('video generation')
  video_generation?: WorkloadPerformance;

  @WorkloadField('reranking')
  rerank?: WorkloadPerformance;

  @WorkloadField('text to speech')
  tts?: WorkloadPerformance;

  @WorkloadField('speech to text')
  stt?: WorkloadPerformance;

  @WorkloadField('decisions')
  decisions?: WorkloadPerformance;

  @WorkloadField('work of another kind')
  unknown?: WorkloadPerformance;
}

/** The measurements of the last half hour by the kind of work. */
export function WorkloadsField(): PropertyDecorator {
  return ObjectField(() => PerformanceByWorkload, {
    description: 'Measurements within the last half hour by the kind of work, if measured.',
    optional: true,
  });
}

/** The values of the parameter tool_choice that an endpoint supports. */
@AdditionalProperties()
export class ToolChoiceSupport {
  @BooleanField({ description: 'Whether `auto` is supported: the model chooses.', example: true })
  auto: boolean;

  @BooleanField({ description: 'Whether a function can be named.', example: true })
  function: boolean;

  @BooleanField({ description: 'Whether `none` is supported: no tool is called.', example: true })
  none: boolean;

  @BooleanField({ description: 'Whether `required` is supported: at least one tool is called.', example: false })
  required: boolean;
}

/** A field with the supported values of tool_choice. */
export function ToolChoiceField(optional = false): PropertyDecorator {
  return ObjectField(() => ToolChoiceSupport, {
    description:
      'The supported values of tool_choice. If the imported catalog does not say: all of them when tool_choice is a supported parameter, otherwise none.',
    optional,
  });
}

/** The share of answered requests. @param window the period */
export function UptimeField(window: string, optional = false): PropertyDecorator {
  return NumberField({
    description: `The percentage of the requests of the last ${window} that were answered, if measured.`,
    example: 99.9,
    nullable: true,
    optional,
  });
}

/** A distribution over the last half hour. */
export function MeasuredField(what: string, optional = false): PropertyDecorator {
  return ObjectField(() => PercentileStats, {
    description: `${what} within the last half hour, if measured.`,
    example: PERCENTILES_EXAMPLE,
    nullable: true,
    optional,
  });
}

/** The fields of an endpoint that all sources have. */
@AdditionalProperties()
export class ModelEndpointFacts {
  @TextField({ description: 'The name.', example: 'OpenAI | openai/gpt-5.5-20260423' })
  name: string;

  @IntegerField({ description: 'The context length in tokens.', example: 1050000, ...TOKENS })
  context_length: number;

  @ObjectField(() => ModelPricing, { description: 'Prices in US dollars per unit, as decimal strings.' })
  pricing: ModelPricing;

  @TextField({
    description: 'The slug of the provider, with the variant of the endpoint if there are several.',
    example: 'deepinfra/fp8',
    pattern: '^[a-z0-9]+(?:[-.][a-z0-9]+)*(?:/[^/\\s]+)*$',
  })
  tag: string;

  @EnumField<string>(QUANTIZATIONS, { description: 'The quantization of the weights.', example: 'fp8', nullable: true })
  quantization: string | null;

  @IntegerField({ description: 'The maximum number of completion tokens.', example: 128000, nullable: true, ...TOKENS })
  max_completion_tokens: number | null;

  @IntegerField({ description: 'The maximum number of prompt tokens.', example: null, nullable: true, ...TOKENS })
  max_prompt_tokens: number | null;

  @EnumListField(SUPPORTED_PARAMETERS, {
    description: 'The supported request parameters.',
    example: ['max_tokens', 'tools'],
  })
  supported_parameters: readonly string[];

  @BooleanField({ description: 'Whether the endpoint caches prompts without being asked.', example: true })
  supports_implicit_caching: boolean;

  @BooleanField({
    description: 'Whether the endpoint can clone voices.',
    example: false,
    optional: true,
    default: false,
  })
  supports_voice_cloning?: boolean;

  @IntegerField({
    enum: ENDPOINT_STATUSES,
    description: 'The status of the endpoint: 0 is normal, negative values are worse.',
    example: 0,
    optional: true,
  })
  status?: number;
}

/** An endpoint of a model at one provider. */
export class ModelEndpoint extends ModelEndpointFacts {
  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.5' })
  model_id: string;

  @TextField({ description: 'The name of the model.', example: 'OpenAI: GPT-5.5' })
  model_name: string;

  @TextField({ description: 'The name of the provider.', example: 'OpenAI' })
  provider_name: string;

  @ToolChoiceField()
  supports_tool_choice: ToolChoiceSupport;

  @FreeObjectField({
    description: 'Always empty: no tool of the gateway is run by a provider in its place.',
    example: {},
  })
  native_tools: Readonly<Record<string, never>>;

  @TextField({
    description: 'Always null: an endpoint is sold in its standard tier, and a request asks for another.',
    example: null,
    nullable: true,
  })
  service_tier: string | null;

  @BooleanField({ description: 'Whether its transcriptions say who speaks.', example: false })
  supports_diarization: boolean;

  @UptimeField('five minutes')
  uptime_last_5m: number | null;

  @UptimeField('half hour')
  uptime_last_30m: number | null;

  @UptimeField('day')
  uptime_last_1d: number | null;

  @MeasuredField('Seconds to the first token')
  latency_last_30m: PercentileStats | null;

  @MeasuredField('Tokens per second')
  throughput_last_30m: PercentileStats | null;

  @WorkloadsField()
  perf_last_30m_by_workload?: PerformanceByWorkload;
}

/** Input and output modalities, without absent fields. */
export class EndpointsArchitecture extends ModelModalities {
  @EnumField<string>(TOKENIZERS, { description: 'The tokenizer family; Other if unknown.', example: 'GPT' })
  tokenizer: string;

  @EnumField<string>(INSTRUCT_TYPES, {
    description: 'The instruction format; null if none.',
    example: null,
    nullable: true,
  })
  instruct_type: string | null;
}

/** A model with its endpoints. */
export class ModelEndpoints {
  @TextField({ description: 'The id: author/slug, with the suffix of a variant.', example: 'openai/gpt-5.5' })
  id: string;

  @TextField({ description: 'The name.', example: 'OpenAI: GPT-5.5' })
  name: string;

  @IntegerField({ description: 'When the model was added, as Unix time in seconds.', example: 1777051893 })
  created: number;

  @TextField({ description: 'The description.', example: 'A general model for text and images.' })
  description: string;

  @ObjectField(() => EndpointsArchitecture, { description: 'Input and output modalities.' })
  architecture: EndpointsArchitecture;

  @ObjectListField(() => ModelEndpoint, { description: 'The endpoints of the model; empty if the catalog knows none.' })
  endpoints: ModelEndpoint[];
}

/** The answer to listEndpoints. */
export class ListEndpointsResponse extends DataOf(ModelEndpoints) {}

/** The answer to listEndpointsZdr. */
export class ListEndpointsZdrResponse extends ListOf(ModelEndpoint) {}
