import type {
  MessageParam,
  MessagesRequest as Requested,
} from '../../../../codecs/anthropic-messages/request-decoder.js';
import { InferenceBody } from '../../../../../http/input/body-limit.js';
import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { FreeObjectListField, TextField } from '../../../../../http/validation/fields.js';
import { RequestRules } from '../../../../../http/validation/rules.js';
import { CarriedReasoningRule } from '../rules/carried-reasoning-rule.js';
import { MESSAGE_PARAM } from './messages-schemas.js';
import { MessagesSettings } from './messages-settings.dto.js';

/** The body of a message (docs/interface/messages.md). */
@InferenceBody()
@RequestRules(CarriedReasoningRule)
@SchemaExample({
  model: 'gatehouse/echo',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Write to jane.doe@example.com' }],
})
export class MessagesRequest extends MessagesSettings implements Requested {
  @TextField({
    description:
      'A model by id, canonical slug or alias, with a variant (`:nitro`, `:floor`, ...) or a preset (`@preset/slug`, `author/model@preset/slug`).',
    example: 'gatehouse/echo',
    minLength: 1,
    maxLength: 400,
  })
  model: string;

  @FreeObjectListField({
    description:
      'The conversation, oldest message first: each with a `role` (user, assistant, system) and a `content`, a text or a list of blocks.',
    minItems: 1,
    example: [{ role: 'user', content: 'Write to jane.doe@example.com' }],
    form: MESSAGE_PARAM,
  })
  messages: readonly MessageParam[];
}
