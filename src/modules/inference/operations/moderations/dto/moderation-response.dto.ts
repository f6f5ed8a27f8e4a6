import { BooleanField, FreeObjectField, ObjectListField, TextField } from '../../../../../http/validation/fields.js';

/** What a model says of an input. */
export class ModerationResult {
  @BooleanField({ description: 'Whether the input is in any of the categories.', example: true })
  flagged: boolean;

  @FreeObjectField({
    description: 'Whether the input is in each category, by the names that the model has for them.',
    example: { hate: false, violence: true },
  })
  categories: Readonly<Record<string, boolean>>;

  @FreeObjectField({
    description: 'How sure the model is of each category, from 0 to 1.',
    example: { hate: 0.01, violence: 0.97 },
  })
  category_scores: Readonly<Record<string, number>>;

  @FreeObjectField({
    description: 'The kinds of parts that each category was found by: `text`, `image`.',
    example: { hate: ['text'], violence: ['text'] },
  })
  category_applied_input_types: Readonly<Record<string, readonly string[]>>;
}

/** What a model says of each input. */
export class ModerationResponse {
  @TextField({ description: 'The id of the generation.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  id: string;

  @TextField({ description: 'The model that answered.', example: 'openai/omni-moderation' })
  model: string;

  @ObjectListField(() => ModerationResult, {
    description: 'One for each text in the order of the request, or one for all parts.',
  })
  results: readonly ModerationResult[];
}
