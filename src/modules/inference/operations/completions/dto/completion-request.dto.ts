import type { CompletionRequest as Completion } from '../../../../codecs/openai-completions/request-decoder.js';
import { MAXIMUM_CHOICES } from '../../../../codecs/chat/choice-count.js';
import { InferenceBody } from '../../../../../http/input/body-limit.js';
import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import {
  BooleanField,
  IntegerField,
  ObjectField,
  SchemaField,
  TextField,
} from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { ReasoningOptions } from '../../chat/dto/chat-completion-request.dto.js';
import { CompletionSettings } from '../../../dto/request-settings.dto.js';
import { parameterRules } from '../../../rules/parameter-rules.js';
import { promptRules, choiceRules } from '../rules/completion-rules.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** The body of a completion in the legacy form (docs/interface/completions.md). Fields that are not named here have no effect. */
@InferenceBody()
@Rules(promptRules, choiceRules, parameterRules)
@SchemaExample({ model: 'gatehouse/echo', prompt: 'Write to jane.doe@example.com' })
export class CompletionRequest extends CompletionSettings implements Completion {
  @SchemaField(
    {
      anyOf: [
        { type: 'string', minLength: 1 },
        { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 1 },
      ],
    },
    {
      description: 'The text that is sent as the message of a user, or a list of this one text. Tokens are refused.',
      example: 'Write to jane.doe@example.com',
    },
  )
  prompt: string | readonly [string];

  @IntegerField({
    example: 1,
    description: 'The number of answers. A provider that gives only one answer gives one.',
    minimum: 1,
    maximum: MAXIMUM_CHOICES,
    ...OPTIONAL,
  })
  n?: number | null;

  @IntegerField({
    example: 1,
    description: 'Must equal `n`: the gateway discards no answers.',
    minimum: 1,
    maximum: MAXIMUM_CHOICES,
    ...OPTIONAL,
  })
  best_of?: number | null;

  @IntegerField({
    example: 0,
    description: 'The number of alternatives to return for each token, with their probabilities.',
    minimum: 0,
    maximum: 5,
    ...OPTIONAL,
  })
  logprobs?: number | null;

  @BooleanField({
    example: false,
    description:
      'Whether the answer begins with the prompt, as it was sent. Not with `logprobs`, nor with several answers.',
    ...OPTIONAL,
  })
  echo?: boolean | null;

  @TextField({
    example: '',
    description: 'Must be empty: the prompt is sent as a message, after which no text can follow the answer.',
    maxLength: 0,
    ...OPTIONAL,
  })
  suffix?: string | null;

  @ObjectField(() => ReasoningOptions, {
    description: 'How much the model thinks. The form has no reasoning in its answers.',
    ...OPTIONAL,
  })
  reasoning?: ReasoningOptions | null;
}
