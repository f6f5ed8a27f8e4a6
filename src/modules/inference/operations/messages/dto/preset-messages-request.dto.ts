import { BODY_LIMITS, BodyLimit } from '../../../../../http/input/body-limit.js';
import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { FreeObjectListField, TextField } from '../../../../../http/validation/fields.js';
import { finiteNumbers } from '../../../../../http/validation/finite-numbers.js';
import { Rules } from '../../../../../http/validation/rules.js';
import type { MessageParam } from '../../../../codecs/anthropic-messages/request-decoder.js';
import { presetSettingRules } from '../rules/preset-setting-rules.js';
import { MESSAGE_PARAM } from './messages-schemas.js';
import { MessagesSettings } from './messages-settings.dto.js';

/** The body of a message, that becomes a version of a preset (docs/interface/presets.md). */
@BodyLimit(BODY_LIMITS.large)
@Rules(finiteNumbers, presetSettingRules)
@SchemaExample({ model: 'anthropic/claude-sonnet-4.6', system: 'You are helpful.', max_tokens: 1024 })
export class PresetMessagesRequest extends MessagesSettings {
  @TextField({
    description: 'The model.',
    example: 'anthropic/claude-sonnet-4.6',
    minLength: 1,
    maxLength: 400,
    optional: true,
  })
  model?: string;

  @FreeObjectListField({
    description: 'Not stored, except messages with the role system, which become part of the system prompt.',
    example: [{ role: 'user', content: 'Hello' }],
    form: MESSAGE_PARAM,
    optional: true,
  })
  messages?: readonly MessageParam[];
}
