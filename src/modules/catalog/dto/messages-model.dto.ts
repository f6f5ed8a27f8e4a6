import {
  BooleanField,
  EnumField,
  FreeObjectField,
  IntegerField,
  ObjectListField,
  TextField,
} from '../../../http/validation/fields.js';

/** A model as clients of the Messages form read it (docs/interface/catalog.md#messages-form). */
export class MessagesModel {
  @EnumField(['model'], { description: 'The type of the object.' })
  type: 'model';

  @TextField({ description: 'The name by which requests name the model.', example: 'openai/gpt-5.5' })
  id: string;

  @TextField({ description: 'The name for people.', example: 'OpenAI: GPT-5.5' })
  display_name: string;

  @TextField({ description: 'When the model was published.', example: '2026-04-23T00:00:00.000Z', format: 'date-time' })
  created_at: string;

  @IntegerField({ description: 'The longest prompt, in tokens.', example: 400000, nullable: true })
  max_input_tokens: number | null;

  @IntegerField({ description: 'The longest answer, in tokens.', example: 128000, nullable: true })
  max_tokens: number | null;

  @EnumField(['active', 'deprecated'], {
    description: '`deprecated` if the catalog knows when the model is withdrawn.',
  })
  lifecycle: 'active' | 'deprecated';

  @TextField({ description: 'Always null: the catalog does not know it.', nullable: true, example: null })
  deprecated_at: string | null;

  @TextField({
    description: 'When the model is withdrawn, where the catalog knows it.',
    nullable: true,
    example: null,
    format: 'date-time',
  })
  retires_at: string | null;

  @TextField({ description: 'Always null: the catalog has no lines of models.', nullable: true, example: null })
  line: string | null;

  @FreeObjectField({ description: 'Always null: the form has no unknown.', nullable: true, example: null })
  capabilities: object | null;
}

/** A page of the list of models as clients of the Messages form read it. */
export class MessagesModelsPage {
  @ObjectListField(() => MessagesModel, { description: 'The models.' })
  data: readonly MessagesModel[];

  @BooleanField({ description: 'Whether there are more in the direction in which the pages are read.', example: false })
  has_more: boolean;

  @TextField({ description: 'The first id of the page, for `before_id`.', nullable: true, example: 'openai/gpt-5.5' })
  first_id: string | null;

  @TextField({ description: 'The last id of the page, for `after_id`.', nullable: true, example: 'openai/gpt-5.5' })
  last_id: string | null;
}
