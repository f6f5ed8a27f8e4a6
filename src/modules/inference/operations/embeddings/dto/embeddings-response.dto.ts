import {
  EnumField,
  FreeObjectField,
  IntegerField,
  ObjectField,
  ObjectListField,
  SchemaField,
  TextField,
} from '../../../../../http/validation/fields.js';
import { ChargedUsage } from '../../../dto/cost-details.dto.js';
import { INPUT_TOKENS_DETAILS } from '../../../dto/shared-schemas.js';

/** The vector of an input. */
export class EmbeddingItem {
  @EnumField(['embedding'], { description: 'The type of the object.' })
  object: 'embedding';

  @IntegerField({ description: 'The place of the input, from 0.', example: 0 })
  index: number;

  @SchemaField(
    { anyOf: [{ type: 'array', items: { type: 'number' } }, { type: 'string' }] },
    { description: 'The vector: numbers, or base64 of 32-bit floats.', example: [0.5, -0.5, 0.5, 0.5] },
  )
  embedding: readonly number[] | string;
}

/** What was used, and what it cost. */
export class EmbeddingsUsage extends ChargedUsage {
  @IntegerField({ description: 'Tokens of the inputs, as the provider counted.', example: 11 })
  prompt_tokens: number;

  @IntegerField({ description: 'The same as `prompt_tokens`.', example: 11 })
  total_tokens: number;

  @FreeObjectField({
    description: 'The prompt tokens by kind: text, image, audio, video, file.',
    example: { text_tokens: 11 },
    form: INPUT_TOKENS_DETAILS,
    optional: true,
  })
  prompt_tokens_details?: object;
}

/** The embeddings of the inputs of a request, in their order. */
export class EmbeddingsResponse {
  @TextField({ description: 'The id of the generation.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  id: string;

  @EnumField(['list'], { description: 'The type of the object.' })
  object: 'list';

  @ObjectListField(() => EmbeddingItem, { description: 'The vectors, one for each input.' })
  data: readonly EmbeddingItem[];

  @TextField({ description: 'The model that answered.', example: 'gatehouse/echo-embedding' })
  model: string;

  @ObjectField(() => EmbeddingsUsage, { description: 'What was used, and what it cost.' })
  usage: EmbeddingsUsage;
}
