import { ListOf } from '../../../http/openapi/response-envelopes.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectsByNameField,
  TextField,
  TextListField,
  ObjectListField,
} from '../../../http/validation/fields.js';
import { AdditionalProperties } from '../../../http/validation/dto-fields.js';
import type { Capabilities } from '../capability-union.js';
import { INPUT_MODALITIES, OUTPUT_MODALITIES } from '../model-vocabulary.js';

/** The modalities of an image model. */
@AdditionalProperties()
export class ImageModelArchitecture {
  @EnumListField(INPUT_MODALITIES, { description: 'The input modalities.', example: ['text', 'image'] })
  input_modalities: readonly string[];

  @EnumListField(OUTPUT_MODALITIES, { description: 'The output modalities.', example: ['image'] })
  output_modalities: readonly string[];
}

/** A parameter with one of several values. */
export class EnumCapability {
  @EnumField(['enum'], { description: 'The type of the parameter.', example: 'enum' })
  type: 'enum';

  @TextListField({ description: 'The possible values.', example: ['1:1', '16:9'] })
  values: readonly string[];
}

/** A parameter with a number. */
export class RangeCapability {
  @EnumField(['range'], { description: 'The type of the parameter.', example: 'range' })
  type: 'range';

  @NumberField({ description: 'The smallest value.', example: 1 })
  min: number;

  @NumberField({ description: 'The largest value.', example: 10 })
  max: number;
}

/** A parameter that is either supported or not. */
export class BooleanCapability {
  @EnumField(['boolean'], { description: 'The type of the parameter.', example: 'boolean' })
  type: 'boolean';
}

/** The class of each kind of parameter. */
const CAPABILITY_CLASSES = { enum: EnumCapability, range: RangeCapability, boolean: BooleanCapability };

/** The parameters of an image model or of one of its endpoints, by name. */
export function CapabilitiesField(description: string): PropertyDecorator {
  return ObjectsByNameField('type', CAPABILITY_CLASSES, {
    description,
    example: { aspect_ratio: { type: 'enum', values: ['1:1', '16:9'] } },
  });
}

/** The fields of an image model that all lists have. */
@AdditionalProperties()
export class ImageModelFacts {
  @TextField({
    description: 'The id, as author/slug.',
    example: 'google/gemini-2.5-flash-image',
    pattern: '^[^/\\s]+/[^/\\s]+$',
  })
  id: string;

  @TextField({ description: 'The name.', example: 'Google: Gemini 2.5 Flash Image' })
  name: string;

  @TextField({ description: 'The description.', example: 'Makes and edits images.' })
  description: string;

  @IntegerField({
    description: 'When the model was added, as Unix time in seconds.',
    example: 1759870431,
    minimum: 0,
    maximum: 2147483647,
  })
  created: number;

  @ObjectField(() => ImageModelArchitecture, { description: 'Input and output modalities.' })
  architecture: ImageModelArchitecture;
}

/** An image generation model (docs/interface/catalog.md#image-models). */
export class ImageModelListItem extends ImageModelFacts {
  @CapabilitiesField("The superset of the parameters of the model's endpoints.")
  supported_parameters: Capabilities;

  @BooleanField({ description: 'Whether any endpoint can stream.', example: false })
  supports_streaming: boolean;

  @TextField({
    description: "The path of the list of the model's endpoints.",
    example: '/api/v1/images/models/google/gemini-2.5-flash-image/endpoints',
  })
  endpoints: string;
}

/** The answer to listImageModels. */
export class ListImageModelsResponse extends ListOf(ImageModelListItem) {}

const BILLABLES = ['output_image', 'input_image', 'input_font', 'input_reference', 'input_text'] as const;

const UNITS = ['image', 'megapixel', 'token', 'request'] as const;

/** A price of an image endpoint. */
export class ImagePrice {
  @EnumField(BILLABLES, { description: 'The billed item.', example: 'output_image' })
  billable: (typeof BILLABLES)[number];

  @EnumField(UNITS, { description: 'The unit of the price.', example: 'image' })
  unit: (typeof UNITS)[number];

  @NumberField({ description: 'The price in US dollars per unit.', example: 0.04, minimum: 0 })
  cost_usd: number;

  @TextField({ description: 'The variant, when an item has several prices.', example: '2K', optional: true })
  variant?: string;
}

/** An endpoint of an image model at one provider. */
export class ImageEndpoint {
  @TextField({ description: 'The name of the provider.', example: 'OpenAI' })
  provider_name: string;

  @TextField({ description: 'The id of the provider.', example: 'openai' })
  provider_slug: string;

  @TextField({
    description: 'The variant of the endpoint, when a provider has several for one model.',
    example: null,
    nullable: true,
  })
  provider_tag: string | null;

  @CapabilitiesField('The supported parameters of the endpoint.')
  supported_parameters: Capabilities;

  @TextListField({ description: 'Parameters that are passed to the provider unchanged.', example: ['style'] })
  allowed_passthrough_parameters: readonly string[];

  @BooleanField({ description: 'Whether the endpoint can stream.', example: false })
  supports_streaming: boolean;

  @ObjectListField(() => ImagePrice, { description: 'The prices.' })
  pricing: readonly ImagePrice[];
}

/** The answer to listImageModelEndpoints. */
export class ImageModelEndpointsResponse {
  @TextField({ description: 'The id of the model.', example: 'google/gemini-2.5-flash-image' })
  id: string;

  @ObjectListField(() => ImageEndpoint, { description: 'The endpoints of the model.' })
  endpoints: ImageEndpoint[];
}
