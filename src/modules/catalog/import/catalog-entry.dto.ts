import {
  BooleanField,
  EnumListField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
  TextListField,
} from '../../../http/schema/fields.js';
import { OpenToFurtherFields } from '../../../http/schema/schema-registry.js';
import type { Capabilities } from '../capability-union.js';
import { CapabilitiesField, ImageModelFacts } from '../dto/image-model.dto.js';
import { ImagePrice } from '../dto/image-price.dto.js';
import {
  MeasuredField,
  ModelEndpointFacts,
  PercentileStats,
  ToolChoiceField,
  ToolChoiceSupport,
  UptimeField,
} from '../dto/model-endpoint.dto.js';
import { ModelFacts } from '../dto/model.dto.js';
import { CountriesField, CountryField } from '../dto/provider.dto.js';
import { CATEGORIES } from '../model-vocabulary.js';

const MODEL_ID = '^[^/\\s]+/[^/\\s]+$';

const SLUG = '^[a-z0-9]+(?:[-.][a-z0-9]+)*$';

/** The model that an alias stands for. */
@OpenToFurtherFields()
export class AliasTarget {
  @TextField({ description: 'Its id or canonical slug.', example: 'openai/gpt-5.5' })
  slug: string;
}

/** An entry of the public list of models. */
export class ModelEntry extends ModelFacts {
  @ObjectField(() => AliasTarget, { description: 'For an alias: what it stands for.', optional: true })
  alias_target?: AliasTarget;

  @EnumListField(CATEGORIES, { description: 'In a catalog of our own: what it is used for.', optional: true })
  categories?: string[];

  @BooleanField({ description: 'In a catalog of our own: whether its answers may train others.', optional: true })
  distillable?: boolean;

  @NumberField({
    description: 'In a catalog of our own: the part of its calls of tools that succeed.',
    minimum: 0,
    maximum: 1,
    optional: true,
  })
  tool_success_rate?: number;
}

/** An entry of the public list of image models: the superset over its endpoints. */
export class ImageModelEntry extends ImageModelFacts {
  @CapabilitiesField('What the model can do.')
  supported_parameters: Capabilities;

  @BooleanField({ description: 'Whether it streams.', example: false })
  supports_streaming: boolean;
}

/** What every list says of one provider's offer of an image model. */
abstract class ImageEndpointFacts {
  @CapabilitiesField('What the endpoint can do.')
  supported_parameters: Capabilities;

  @BooleanField({ description: 'Whether it streams.', example: false })
  supports_streaming: boolean;

  @TextListField({ description: 'Parameters that are handed through as they are.', example: [] })
  allowed_passthrough_parameters: string[];

  @ObjectListField(() => ImagePrice, { description: 'What it costs.' })
  pricing: ImagePrice[];
}

/** One provider's offer of an image model, in a catalog of our own. */
export class ImageEndpointEntry extends ImageEndpointFacts {
  @TextField({ description: 'The id of the provider.', example: 'openai', pattern: SLUG })
  provider: string;
}

/** An image model with each of its endpoints, in a catalog of our own. */
export class DetailedImageModelEntry extends ImageModelFacts {
  @ObjectListField(() => ImageEndpointEntry, { description: 'Its endpoints.', minItems: 1 })
  endpoints: ImageEndpointEntry[];
}

/** An entry of the list of an image model's endpoints. */
@OpenToFurtherFields()
export class ListedImageEndpointEntry extends ImageEndpointFacts {
  @TextField({ description: 'The id of the provider.', example: 'openai', pattern: SLUG })
  provider_slug: string;
}

/** The public list of an image model's endpoints. */
@OpenToFurtherFields()
export class ImageModelEndpointsEntry {
  @TextField({ description: 'The id of the model.', example: 'google/gemini-2.5-flash-image', pattern: MODEL_ID })
  id: string;

  @ObjectListField(() => ListedImageEndpointEntry, { description: 'Its endpoints.', minItems: 1 })
  endpoints: ListedImageEndpointEntry[];
}

/** An endpoint of a model: what the public lists say of it, and in a catalog of our own what its provider does with requests. */
export class ModelEndpointEntry extends ModelEndpointFacts {
  @TextField({ description: 'The name of the provider.', example: 'OpenAI', minLength: 1 })
  provider_name: string;

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

  @MeasuredField('Tokens a second', true)
  throughput_last_30m?: PercentileStats | null;

  @BooleanField({ description: 'In a catalog of our own: whether it retains nothing of a request.', optional: true })
  zdr?: boolean;

  @BooleanField({ description: 'In a catalog of our own: whether it may train on requests.', optional: true })
  training?: boolean;

  @BooleanField({ description: 'In a catalog of our own: whether it may publish prompts.', optional: true })
  publication?: boolean;
}

/** A model's endpoints, as the public list of them has it. */
@OpenToFurtherFields()
export class ModelEndpointsEntry {
  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.5', pattern: MODEL_ID })
  id: string;

  @ObjectListField(() => ModelEndpointEntry, { description: 'Its endpoints.' })
  endpoints: ModelEndpointEntry[];
}

/** An entry of the public list of endpoints that retain nothing. */
export class ZdrEndpointEntry extends ModelEndpointEntry {
  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.5', pattern: MODEL_ID })
  model_id: string;
}

/** A provider, as the public list has it. */
@OpenToFurtherFields()
export class ProviderEntry {
  @TextField({ description: 'The id that guardrails name.', example: 'openai', pattern: SLUG })
  slug: string;

  @TextField({ description: 'The name.', example: 'OpenAI', minLength: 1 })
  name: string;

  @TextField({ description: 'Its privacy policy.', optional: true, nullable: true })
  privacy_policy_url?: string | null;

  @TextField({ description: 'Where it says how it does.', optional: true, nullable: true })
  status_page_url?: string | null;

  @TextField({ description: 'Its terms.', optional: true, nullable: true })
  terms_of_service_url?: string | null;

  @CountryField('The country of its headquarters.', true)
  headquarters?: string | null;

  @CountriesField('The countries of its data centers.', true)
  datacenters?: string[] | null;
}

/** Another name of a model, in a catalog of our own. */
export class AliasEntry {
  @TextField({ description: 'The other name.', example: 'openai/gpt-latest', pattern: MODEL_ID })
  alias: string;

  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.5' })
  model: string;
}
