import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  IntegerField,
  SchemaField,
  TextField,
} from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { TIERS } from '../../../../codecs/chat/image-size.js';
import { OptionedPreferences } from '../../../dto/provider-preferences.dto.js';
import { RoutedFields, RoutedRequest } from '../../../dto/routed-request.dto.js';
import { preferenceRules } from '../../../rules/preference-rules.js';
import { ASPECT_RATIOS, imageRules, MAXIMUM_REFERENCES } from '../image-rules.js';

const RESOLUTIONS = TIERS.map(([tier]) => tier);

export const BACKGROUNDS = ['auto', 'transparent', 'opaque'] as const;

/** What every request to draw images says, in every form. */
@RoutedRequest({
  traceName: 'shop-window',
  preferences: OptionedPreferences,
  providerExample: { options: { openai: { moderation: 'low' } } },
})
@Rules(preferenceRules)
export abstract class ImageRequestFields extends RoutedFields {
  declare provider?: OptionedPreferences | null;

  @TextField({
    description: 'An image model by id, canonical slug or alias, with a variant (`:nitro`, `:floor`, ...).',
    example: 'gatehouse/echo-image',
    minLength: 1,
    maxLength: 400,
  })
  model: string;

  @TextField({ description: 'What is drawn.', example: 'A red bicycle in front of a white wall', minLength: 1 })
  prompt: string;

  @IntegerField({
    description: 'How many images.',
    example: 1,
    default: 1,
    minimum: 1,
    maximum: 10,
    optional: true,
    nullable: true,
  })
  n?: number | null;

  @EnumField(BACKGROUNDS, { description: 'What is behind what is drawn.', optional: true, nullable: true })
  background?: (typeof BACKGROUNDS)[number] | null;

  @IntegerField({
    description: 'How much of the quality of a JPEG or WebP is kept, in percent.',
    example: 90,
    minimum: 0,
    maximum: 100,
    optional: true,
    nullable: true,
  })
  output_compression?: number | null;

  @IntegerField({
    description: 'How many unfinished images a stream shows.',
    example: 1,
    minimum: 0,
    maximum: 3,
    optional: true,
    nullable: true,
  })
  partial_images?: number | null;

  @BooleanField({
    description: 'Whether the answer is a stream of events.',
    example: false,
    default: false,
    optional: true,
    nullable: true,
  })
  stream?: boolean | null;
}

/** The body of a request to draw images (docs/interface/images.md). */
@Rules(imageRules)
@SchemaExample({ model: 'gatehouse/echo-image', prompt: 'A red bicycle in front of a white wall' })
export class ImageGenerationRequest extends ImageRequestFields {
  @TextField({
    description: 'How large the image is: a tier such as `2K`, or pixels such as `1024x768`.',
    example: '1024x1024',
    maxLength: 16,
    optional: true,
    nullable: true,
  })
  size?: string | null;

  @EnumField(RESOLUTIONS, {
    description: 'How large the image is, as the side of a square.',
    optional: true,
    nullable: true,
  })
  resolution?: (typeof RESOLUTIONS)[number] | null;

  @EnumField(ASPECT_RATIOS, { description: 'The width to the height.', optional: true, nullable: true })
  aspect_ratio?: (typeof ASPECT_RATIOS)[number] | null;

  @EnumField(['auto', 'low', 'medium', 'high', 'xhigh', 'max'], {
    description: 'How well it is drawn.',
    optional: true,
    nullable: true,
  })
  quality?: string | null;

  @EnumField(['png', 'jpeg', 'webp', 'svg'], {
    description: 'The form of the image.',
    optional: true,
    nullable: true,
  })
  output_format?: string | null;

  @IntegerField({
    description: 'With the same seed some models draw the same image.',
    example: 7,
    minimum: 0,
    maximum: 2_147_483_647,
    optional: true,
    nullable: true,
  })
  seed?: number | null;

  @SchemaField(
    {
      type: ['array', 'null'],
      maxItems: MAXIMUM_REFERENCES,
      items: {
        type: 'object',
        required: ['type', 'image_url'],
        properties: {
          type: { type: 'string', enum: ['image_url'], description: 'The kind of the part.' },
          image_url: {
            type: 'object',
            required: ['url'],
            properties: {
              url: {
                type: 'string',
                description: 'The address of an image (https), or a data URL.',
                examples: ['https://example.com/bicycle.png'],
              },
            },
            description: 'The image.',
          },
        },
      },
    },
    {
      description: 'Images that are edited, or that the model follows.',
      example: [{ type: 'image_url', image_url: { url: 'https://example.com/bicycle.png' } }],
      optional: true,
    },
  )
  input_references?: readonly { readonly type: 'image_url'; readonly image_url: { readonly url: string } }[] | null;
}
