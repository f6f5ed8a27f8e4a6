import { ListOf } from '../../../http/schema/answer-shapes.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  NumberField,
  ObjectField,
  SchemaField,
  TextField,
  TextListField,
} from '../../../http/schema/fields.js';
import { OpenToFurtherFields, referenceTo } from '../../../http/schema/schema-registry.js';
import type { Capabilities } from '../capability-union.js';
import { INPUT_MODALITIES, OUTPUT_MODALITIES } from '../modalities.js';

/** What an image model takes and gives. */
@OpenToFurtherFields()
export class ImageModelArchitecture {
  @EnumListField(INPUT_MODALITIES, { description: 'What the model takes.', example: ['text', 'image'] })
  input_modalities: readonly string[];

  @EnumListField(OUTPUT_MODALITIES, { description: 'What the model gives.', example: ['image'] })
  output_modalities: readonly string[];
}

/** A parameter that takes one of several values. */
export class EnumCapability {
  @EnumField(['enum'], { description: 'The kind of the parameter.', example: 'enum' })
  type: 'enum';

  @TextListField({ description: 'The values.', example: ['1:1', '16:9'] })
  values: readonly string[];
}

/** A parameter that takes a number. */
export class RangeCapability {
  @EnumField(['range'], { description: 'The kind of the parameter.', example: 'range' })
  type: 'range';

  @NumberField({ description: 'The smallest.', example: 1 })
  min: number;

  @NumberField({ description: 'The largest.', example: 10 })
  max: number;
}

/** A parameter that is there or not. */
export class BooleanCapability {
  @EnumField(['boolean'], { description: 'The kind of the parameter.', example: 'boolean' })
  type: 'boolean';
}

/** The parameters of an image model or of one of its endpoints, by name. */
export function CapabilitiesField(description: string): PropertyDecorator {
  return SchemaField(
    () => ({
      type: 'object',
      additionalProperties: {
        oneOf: [referenceTo(EnumCapability), referenceTo(RangeCapability), referenceTo(BooleanCapability)],
        discriminator: {
          propertyName: 'type',
          mapping: {
            enum: referenceTo(EnumCapability).$ref!,
            range: referenceTo(RangeCapability).$ref!,
            boolean: referenceTo(BooleanCapability).$ref!,
          },
        },
      },
    }),
    { description, example: { aspect_ratio: { type: 'enum', values: ['1:1', '16:9'] } } },
  );
}

/** What is told of an image model, whichever list it stands in. */
@OpenToFurtherFields()
export class ImageModelFacts {
  @TextField({ description: 'author/slug.', example: 'google/gemini-2.5-flash-image', pattern: '^[^/\\s]+/[^/\\s]+$' })
  id: string;

  @TextField({ description: 'The name.', example: 'Google: Gemini 2.5 Flash Image' })
  name: string;

  @TextField({ description: 'What it is.', example: 'Makes and edits images.' })
  description: string;

  @IntegerField({ description: 'When it was added, in Unix time (seconds).', example: 1759870431, minimum: 0, maximum: 2147483647 })
  created: number;

  @ObjectField(() => ImageModelArchitecture, { description: 'What it takes and gives.' })
  architecture: ImageModelArchitecture;
}

/** An image generation model (SERVICE.md, section 2.7). */
export class ImageModelListItem extends ImageModelFacts {
  @CapabilitiesField("The superset of the parameters of the model's endpoints.")
  supported_parameters: Capabilities;

  @BooleanField({ description: 'Whether any endpoint streams.', example: false })
  supports_streaming: boolean;

  @TextField({
    description: "The path of the model's endpoints.",
    example: '/api/v1/images/models/google/gemini-2.5-flash-image/endpoints',
  })
  endpoints: string;
}

/** The answer to listImageModels. */
export class ListImageModelsResponse extends ListOf(ImageModelListItem) {}
