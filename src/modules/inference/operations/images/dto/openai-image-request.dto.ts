import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { EnumField, TextField } from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { openAiImageRules } from '../image-rules.js';
import { ImageRequestFields } from './image-request.dto.js';

/** What clients of OpenAI say of images, whether they are drawn anew or edited. */
export abstract class OpenAiImageFields extends ImageRequestFields {
  @TextField({
    description: 'How large the image is, in pixels: `1024x1024`, `1536x1024`, ..., or `auto`.',
    example: '1024x1024',
    maxLength: 16,
    optional: true,
    nullable: true,
  })
  size?: string | null;

  @EnumField(['auto', 'low', 'medium', 'high', 'standard', 'hd'], {
    description: 'How well it is drawn.',
    optional: true,
    nullable: true,
  })
  quality?: string | null;

  @EnumField(['png', 'jpeg', 'webp'], { description: 'The form of the image.', optional: true, nullable: true })
  output_format?: string | null;

  @EnumField(['b64_json'], {
    description: 'Images are always answered in base64: none is kept at an address.',
    example: 'b64_json',
    optional: true,
    nullable: true,
  })
  response_format?: 'b64_json' | null;
}

/** The body of a request to draw images in the form of OpenAI (docs/interface/images.md#openai). */
@Rules(openAiImageRules)
@SchemaExample({ model: 'gatehouse/echo-image', prompt: 'A red bicycle in front of a white wall', size: '1024x1024' })
export class OpenAiImageRequest extends OpenAiImageFields {}
