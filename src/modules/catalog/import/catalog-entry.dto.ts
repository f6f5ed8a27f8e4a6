import { BooleanField, ObjectField, ObjectListField, TextField, TextListField } from '../../../http/schema/fields.js';
import { OpenToFurtherFields } from '../../../http/schema/schema-registry.js';
import type { Capabilities } from '../capability-union.js';
import { CapabilitiesField, ImageModelFacts } from '../dto/image-model.dto.js';
import { ModelFacts } from '../dto/model.dto.js';
import { ImagePriceEntry } from './image-price.dto.js';

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
}

/** An entry of the public list of image models: the superset over its endpoints. */
export class ImageModelEntry extends ImageModelFacts {
  @CapabilitiesField('What the model can do.')
  supported_parameters: Capabilities;

  @BooleanField({ description: 'Whether it streams.', example: false })
  supports_streaming: boolean;
}

/** One provider's offer of an image model, in a catalog of our own. */
export class ImageEndpointEntry {
  @TextField({ description: 'The id of the provider.', example: 'openai', pattern: SLUG })
  provider: string;

  @CapabilitiesField('What the endpoint can do.')
  supported_parameters: Capabilities;

  @BooleanField({ description: 'Whether it streams.', example: false })
  supports_streaming: boolean;

  @TextListField({ description: 'Parameters that are handed through as they are.', example: [] })
  allowed_passthrough_parameters: string[];

  @ObjectListField(() => ImagePriceEntry, { description: 'What it costs.' })
  pricing: ImagePriceEntry[];
}

/** An image model with each of its endpoints, in a catalog of our own. */
export class DetailedImageModelEntry extends ImageModelFacts {
  @ObjectListField(() => ImageEndpointEntry, { description: 'Its endpoints.', minItems: 1 })
  endpoints: ImageEndpointEntry[];
}

/** A provider, in a catalog of our own. */
export class ProviderEntry {
  @TextField({ description: 'The id that guardrails name.', example: 'openai', pattern: SLUG })
  slug: string;

  @TextField({ description: 'The name.', example: 'OpenAI', minLength: 1 })
  name: string;
}

/** Another name of a model, in a catalog of our own. */
export class AliasEntry {
  @TextField({ description: 'The other name.', example: 'openai/gpt-latest', pattern: '^[^/\\s]+/[^/\\s]+$' })
  alias: string;

  @TextField({ description: 'The id of the model.', example: 'openai/gpt-5.5' })
  model: string;
}
