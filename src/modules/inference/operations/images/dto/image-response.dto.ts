import {
  FreeObjectField,
  IntegerField,
  ObjectField,
  ObjectListField,
  TextField,
} from '../../../../../http/validation/fields.js';
import { ChargedUsage } from '../../../dto/cost-details.dto.js';
import { COMPLETION_TOKENS_DETAILS, INPUT_TOKENS_DETAILS, PROMPT_TOKENS_DETAILS } from '../../../dto/shared-schemas.js';

/** A drawn image. */
export class DrawnImage {
  @TextField({ description: 'The image in base64.', example: 'iVBORw0KGgo=' })
  b64_json: string;

  @TextField({ description: 'What the image is.', example: 'image/png', optional: true })
  media_type?: string;
}

/** What was used, and what it cost. */
export class ImageUsage extends ChargedUsage {
  @IntegerField({ description: 'Tokens of the prompt and the references.', example: 12 })
  prompt_tokens: number;

  @IntegerField({
    description: 'Tokens of the images, or what they count as where the provider counts none.',
    example: 4_096,
  })
  completion_tokens: number;

  @IntegerField({ description: 'Both together.', example: 4_108 })
  total_tokens: number;

  @FreeObjectField({
    description: 'The kinds of tokens of the prompt.',
    example: { image_tokens: 0 },
    form: PROMPT_TOKENS_DETAILS,
    optional: true,
  })
  prompt_tokens_details?: object;

  @FreeObjectField({
    description: 'The kinds of tokens of the images.',
    example: { image_tokens: 4_096 },
    form: COMPLETION_TOKENS_DETAILS,
    optional: true,
  })
  completion_tokens_details?: object;
}

/** Drawn images. */
export class ImageGenerationResponse {
  @IntegerField({ description: 'When the request came, as Unix time in seconds.', example: 1795219200 })
  created: number;

  @ObjectListField(() => DrawnImage, { description: 'The images.' })
  data: readonly DrawnImage[];

  @ObjectField(() => ImageUsage, { description: 'What was used, and what it cost.' })
  usage: ImageUsage;
}

/** What was used, in the words of OpenAI, and what it cost. */
export class OpenAiImageUsage extends ChargedUsage {
  @IntegerField({ description: 'Tokens of the prompt and the references.', example: 12 })
  input_tokens: number;

  @IntegerField({
    description: 'Tokens of the images, or what they count as where the provider counts none.',
    example: 4_096,
  })
  output_tokens: number;

  @IntegerField({ description: 'Both together.', example: 4_108 })
  total_tokens: number;

  @FreeObjectField({
    description: 'Of the input: the tokens of texts, and those of images.',
    example: { text_tokens: 12, image_tokens: 0 },
    form: INPUT_TOKENS_DETAILS,
  })
  input_tokens_details: object;
}

/** Drawn images in the form of OpenAI. */
export class OpenAiImageResponse {
  @IntegerField({ description: 'When the request came, as Unix time in seconds.', example: 1795219200 })
  created: number;

  @ObjectListField(() => DrawnImage, { description: 'The images.' })
  data: readonly DrawnImage[];

  @ObjectField(() => OpenAiImageUsage, { description: 'What was used, and what it cost.' })
  usage: OpenAiImageUsage;
}
