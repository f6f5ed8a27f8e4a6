import { TextField } from '../../../http/schema/fields.js';

/** Which model. */
export class ModelPath {
  @TextField({ description: 'The author or organization of the model.', example: 'openai', minLength: 1 })
  author: string;

  @TextField({
    description: 'The slug, with a variant suffix after a colon where one is wanted; aliases are resolved.',
    example: 'gpt-5.5',
    minLength: 1,
  })
  slug: string;
}
