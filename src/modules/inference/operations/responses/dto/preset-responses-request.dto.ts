import { orNull } from '../../../../../http/openapi/named-schemas.js';
import { BODY_LIMITS, BodyLimit } from '../../../../../http/input/body-limit.js';
import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { SchemaField } from '../../../../../http/validation/fields.js';
import { finiteNumbers } from '../../../../../http/validation/finite-numbers.js';
import { Rules } from '../../../../../http/validation/rules.js';
import type { InputItem } from '../../../../codecs/openai-responses/client-request.js';
import { functionsAlone } from '../rules/function-rules.js';
import { givenInputRules } from '../rules/input-rules.js';
import { systemItemsOfText } from '../rules/system-items-of-text.js';
import { RESPONSES_INPUT } from './responses-schemas.js';
import { ResponsesSettings } from './responses-settings.dto.js';

/** The body of a request of the Responses interface, that becomes a version of a preset (docs/interface/presets.md). */
@BodyLimit(BODY_LIMITS.large)
@Rules(finiteNumbers, givenInputRules, systemItemsOfText, functionsAlone)
@SchemaExample({ model: 'openai/gpt-5.5', instructions: 'You are helpful.', temperature: 0.7 })
export class PresetResponsesRequest extends ResponsesSettings {
  @SchemaField(orNull(RESPONSES_INPUT), {
    description:
      'Not stored, except messages with the role system or developer, which become part of the system prompt.',
    example: [{ role: 'system', content: 'You are helpful.' }],
    optional: true,
  })
  input?: string | readonly InputItem[] | null;
}
