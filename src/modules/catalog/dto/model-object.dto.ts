import { EnumField, TextField } from '../../../api/validation/fields.js';
import { Model } from './model.dto.js';

/** The name of a model, with or without its author. */
export class ModelNamePath {
  @TextField({
    description:
      'The name of a model, with `%2F` for its slash. The author may be left out where no other has a model of this slug.',
    example: 'openai%2Fgpt-5.5',
    minLength: 1,
  })
  model: string;
}

/** A model as OpenAI's clients read it, with all that the catalog says of it. */
export class ModelObject extends Model {
  @EnumField(['model'], { description: 'The kind of the object.' })
  object: 'model';

  @TextField({ description: 'The author.', example: 'openai' })
  owned_by: string;
}
