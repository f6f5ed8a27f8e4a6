import {
  BooleanField,
  EnumListField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
  TextListField,
} from '../../../http/validation/fields.js';
import { AdditionalProperties, type DtoClass } from '../../../http/validation/dto-fields.js';
import { OptionalFields } from '../../../http/validation/optional-fields.js';
import type { Capabilities } from '../capability-union.js';
import { CapabilitiesField, ImageModelFacts, ImagePrice } from '../dto/image-model.dto.js';
import {
  MeasuredField,
  ModelEndpointFacts,
  PercentileStats,
  PerformanceByWorkload,
  ToolChoiceField,
  ToolChoiceSupport,
  UptimeField,
  WorkloadsField,
} from '../dto/model-endpoint.dto.js';
import { ModelArchitecture, ModelFacts, TopProviderInfo } from '../dto/model.dto.js';
import { CountriesField, CountryField } from '../dto/provider.dto.js';
import { ModelCapabilities } from '../capabilities/model-capabilities.js';
import { CATEGORIES } from '../model-vocabulary.js';

const MODEL_ID = '^[^/\\s]+/[^/\\s]+$';

const SLUG = '^[a-z0-9]+(?:[-.][a-z0-9]+)*$';

/** The model that an alias stands for. */
@AdditionalProperties()
export class AliasTarget {
  @TextField({ description: 'The id or canonical slug of the model.', example: 'openai/gpt-5.5' })
  slug: string;
}

/** The modalities of a model; text for those that are left out. */
export class ArchitectureEntry extends OptionalFields(ModelArchitecture, []) {}

/** The provider that requests are routed to first; null for what is left out. */
export class TopProviderEntry extends OptionalFields(TopProviderInfo, []) {}

/** What lists say of a model, but for the objects of which only a part has to be given. */
const MODEL_FACTS: DtoClass<Omit<ModelFacts, 'architecture' | 'top_provider'>> = ModelFacts;

/**
 * An entry of the public list of models, or of a list of the operator's own, whose defaults docs/interface/catalog-import.md
 * states.
 */
export class ModelEntry extends OptionalFields(MODEL_FACTS, ['id']) {
  @ObjectField(() => ArchitectureEntry, { description: 'Input and output modalities.', optional: true })
  architecture?: ArchitectureEntry;

  @ObjectField(() => TopProviderEntry, { description: 'The provider that is asked first.', optional: true })
  top_provider?: TopProviderEntry;

  @ObjectField(() => AliasTarget, { description: 'For an alias: the model that it stands for.', optional: true })
  alias_target?: AliasTarget;

  @EnumListField(CATEGORIES, {
    description: "In an operator's own catalog: the categories of the model.",
    optional: true,
  })
  categories?: string[];

  @BooleanField({
    description: "In an operator's own catalog: whether output may be used to train other models.",
    optional: true,
  })
  distillable?: boolean;

  @NumberField({
    description: "In an operator's own catalog: the share of successful tool calls.",
    minimum: 0,
    maximum: 1,
    optional: true,
  })
  tool_success_rate?: number;

  @IntegerField({
    description: "In an operator's own catalog: the most tokens that an image of a prompt has.",
    example: 1600,
    minimum: 0,
    maximum: 1_000_000,
    optional: true,
  })
  image_tokens?: number;

  @ObjectField(() => ModelCapabilities, {
    description: "In an operator's own catalog: what the model can do with a request (docs/interface/capabilities.md).",
    optional: true,
  })
  capabilities?: ModelCapabilities;
}

/** An entry of the public list of image models: the superset over its endpoints. */
export class ImageModelEntry extends ImageModelFacts {
  @CapabilitiesField('The supported parameters of the model.')
  supported_parameters: Capabilities;

  @BooleanField({ description: 'Whether the endpoint can stream.', example: false })
  supports_streaming: boolean;
}

/** The fields of an endpoint of an image model that all lists have. */
abstract class ImageEndpointFacts {
  @CapabilitiesField('The supported parameters of the endpoint.')
  supported_parameters: Capabilities;

  @BooleanField({ description: 'Whether the endpoint can stream.', example: false })
  supports_streaming: boolean;

  @TextListField({ description: 'Parameters that are passed to the provider unchanged.', example: [] })
  allowed_passthrough_parameters: string[];

  @ObjectListField(() => ImagePrice, { description: 'The prices.' })
  pricing: ImagePrice[];
}

/** An endpoint of an image model, in Gatehouse's own format. */
export class ImageEndpointEntry extends ImageEndpointFacts {
  @TextField({ description: 'The id of the provider.', example: 'openai', pattern: SLUG })
  provider: string;
}

/** An image model with its endpoints, in Gatehouse's own format. */
export class DetailedImageModelEntry extends ImageModelFacts {
  @ObjectListField(() => ImageEndpointEntry, { description: 'The endpoints of the model.', minItems: 1 })
  endpoints: ImageEndpointEntry[];
}

/** An entry of the list of an image model's endpoints. */
@AdditionalProperties()
export class ListedImageEndpointEntry extends ImageEndpointFacts {
  @TextField({ description: 'The id of the provider.', example: 'openai', pattern: SLUG })
  provider_slug: string;
}

/** The public list of an image model's endpoints. */
@AdditionalProperties()
export class ImageModelEndpointsEntry {
  @TextField({ description: 'The id of the model.', example: 'google/gemini-2.5-flash-image', pattern: MODEL_ID })
  id: string;

  @ObjectListField(() => ListedImageEndpointEntry, { description: 'The endpoints of the model.', minItems: 1 })
  endpoints: ListedImageEndpointEntry[];
}

/**
 * An endpoint of a model: the fields of the public lists, and in Gatehouse's own format the data policies of its provider and its
 * name of the model. The defaults of fields that are left out are those of docs/interface/catalog-import.md.
 */
export class ModelEndpointEntry extends OptionalFields(ModelEndpointFacts, ['tag']) {
  @TextField({ description: 'The name of the provider.', example: 'OpenAI', minLength: 1, optional: true })
  provider_name?: string;

  @TextField({
    description: "In an operator's own catalog: the provider's own name of the model.",
    example: 'llama-70b',
    minLength: 1,
    maxLength: 512,
    optional: true,
    nullable: true,
  })
  upstream_id?: string | null;

  @ToolChoiceField(true)
  supports_tool_choice?: ToolChoiceSupport;

  @UptimeField('five minutes', true)
  uptime_last_5m?: number | null;

  @UptimeField('half hour', true)
  uptime_last_30m?: number | null;

  @UptimeField('day', true)
  uptime_last_1d?: number | null;

  @MeasuredField('Seconds to the first token', true)
  latency_last_30m?: PercentileStats | null;

  @MeasuredField('Tokens per second', true)
  throughput_last_30m?: PercentileStats | null;

  @WorkloadsField()
  perf_last_30m_by_workload?: PerformanceByWorkload;

  @BooleanField({
    description: "In an operator's own catalog: whether the endpoint retains nothing of a request.",
    optional: true,
  })
  zdr?: boolean;

  @BooleanField({
    description: "In an operator's own catalog: whether the endpoint may train on requests.",
    optional: true,
  })
  training?: boolean;

  @BooleanField({
    description: "In an operator's own catalog: whether the endpoint may publish prompts.",
    optional: true,
  })
  publication?: boolean;

  @ObjectField(() => ModelCapabilities, {
    description:
      "In an operator's own catalog: what the model at this endpoint can do with a request (docs/interface/capabilities.md).",
    optional: true,
  })
  capabilities?: ModelCapabilities;
}

/** The endpoints of a model, as in the public list. */
@AdditionalProperties()
export class ModelEndpointsEntry {
  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.5', pattern: MODEL_ID })
  id: string;

  @ObjectListField(() => ModelEndpointEntry, { description: 'The endpoints of the model.' })
  endpoints: ModelEndpointEntry[];
}

/** An entry of the public list of endpoints with zero data retention. */
export class ZdrEndpointEntry extends ModelEndpointEntry {
  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.5', pattern: MODEL_ID })
  model_id: string;
}

/** A provider, as in the public list. */
@AdditionalProperties()
export class ProviderEntry {
  @TextField({ description: 'The id of the provider, as guardrails name it.', example: 'openai', pattern: SLUG })
  slug: string;

  @TextField({ description: 'The name.', example: 'OpenAI', minLength: 1 })
  name: string;

  @TextField({ description: 'The URL of the privacy policy.', optional: true, nullable: true })
  privacy_policy_url?: string | null;

  @TextField({ description: 'The URL of the status page.', optional: true, nullable: true })
  status_page_url?: string | null;

  @TextField({ description: 'The URL of the terms of service.', optional: true, nullable: true })
  terms_of_service_url?: string | null;

  @CountryField('The country of its headquarters.', true)
  headquarters?: string | null;

  @CountriesField('The countries of its data centers.', true)
  datacenters?: string[] | null;
}

/** An alias of a model, in Gatehouse's own format. */
export class AliasEntry {
  @TextField({ description: 'The alias.', example: 'openai/gpt-latest', pattern: MODEL_ID })
  alias: string;

  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.5' })
  model: string;
}
