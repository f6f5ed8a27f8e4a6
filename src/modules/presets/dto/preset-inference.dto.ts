import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import { Rules } from '../../../http/input/rules.js';
import { SchemaField, TextField, TextListField } from '../../../http/schema/fields.js';
import { OpenToFurtherFields } from '../../../http/schema/schema-registry.js';
import { finiteNumbers, systemMessagesOfText } from '../inference-rules.js';

/** The body of a chat completion, of which a preset is made: every field but its content is configuration. */
@BodyLimit(BODY_LIMITS.large)
@OpenToFurtherFields()
@Rules(finiteNumbers, systemMessagesOfText)
export class PresetInferenceRequest {
  @TextField({ description: 'The model.', example: 'openai/gpt-5.5', optional: true })
  model?: string;

  @TextListField({
    description: 'Models to be tried one after the other.',
    example: ['openai/gpt-5.5', 'anthropic/claude-sonnet-4.6'],
    optional: true,
  })
  models?: readonly string[];

  @SchemaField(() => ({ type: 'array', items: { type: 'object' } }), {
    description: 'Not kept, but for messages of the role system, which become the system prompt.',
    example: [{ role: 'system', content: 'You are helpful.' }],
    optional: true,
  })
  messages?: readonly Readonly<Record<string, unknown>>[];

  /** Configuration of any name. */
  readonly [name: string]: unknown;
}
