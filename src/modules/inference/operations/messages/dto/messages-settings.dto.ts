import type {
  BlockContent,
  MessagesSettings as Requested,
} from '../../../../codecs/anthropic-messages/request-decoder.js';
import {
  EnumField,
  FreeObjectField,
  FreeObjectListField,
  IntegerField,
  SchemaField,
  TextField,
  TextListField,
} from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { CACHE_CONTROL } from '../../../dto/shared-schemas.js';
import {
  CONTEXT_MANAGEMENT,
  FALLBACK,
  METADATA,
  OUTPUT_CONFIG,
  OUTPUT_FORMAT,
  SYSTEM_BLOCK,
  THINKING_CONFIG,
  TOOL,
  TOOL_CHOICE_PARAM,
} from './messages-schemas.js';
import { RequestSettings } from '../../../dto/request-settings.dto.js';
import { messageParamRules } from '../rules/message-param-rules.js';
import { settingRules } from '../rules/setting-rules.js';
import { toolParamRules } from '../rules/tool-param-rules.js';

const OPTIONAL = { optional: true, nullable: true } as const;

type Free = Readonly<Record<string, unknown>>;

/**
 * What a request of the Messages form says besides its model and its conversation (docs/interface/messages.md). Fields that are
 * not named here are left out.
 */
@Rules(messageParamRules, toolParamRules, settingRules)
export abstract class MessagesSettings extends RequestSettings implements Requested {
  @IntegerField({ example: 1024, description: 'The maximum of the answer, in tokens.', minimum: 1, ...OPTIONAL })
  max_tokens?: number | null;

  @SchemaField(
    { anyOf: [{ type: 'string' }, { type: 'array', items: SYSTEM_BLOCK }, { type: 'null' }] },
    { example: 'You are brief.', description: 'The instructions: a text, or blocks of text.', optional: true },
  )
  system?: BlockContent | null;

  @TextListField({
    example: ['END'],
    description: 'Texts at which the answer ends.',
    maxItems: 1_000,
    items: { minLength: 1, maxLength: 10_000 },
    ...OPTIONAL,
  })
  stop_sequences?: readonly string[] | null;

  @FreeObjectListField({
    example: [{ name: 'get_weather', description: 'The weather of a city.', input_schema: { type: 'object' } }],
    description: 'Tools that the model may call and the client runs.',
    maxItems: 1_000,
    form: TOOL,
    ...OPTIONAL,
  })
  tools?: readonly Free[] | null;

  @FreeObjectField({
    example: { type: 'auto' },
    description:
      'Whether a tool is called, and which: `type` (auto, any, tool, none), `name`, `disable_parallel_tool_use`.',
    form: TOOL_CHOICE_PARAM,
    ...OPTIONAL,
  })
  tool_choice?: Free | null;

  @FreeObjectField({
    example: { type: 'disabled' },
    description: 'How the model thinks: `type` (enabled, adaptive, disabled) and `budget_tokens`.',
    form: THINKING_CONFIG,
    ...OPTIONAL,
  })
  thinking?: Free | null;

  @FreeObjectField({
    example: { effort: 'medium' },
    description: 'The `effort` of the answer, its `format` (a JSON schema), and the `task_budget`.',
    form: OUTPUT_CONFIG,
    ...OPTIONAL,
  })
  output_config?: Free | null;

  @FreeObjectField({
    example: { type: 'json_schema', schema: { type: 'object' } },
    description: 'The older name of `output_config.format`. If both are given, they must be the same.',
    form: OUTPUT_FORMAT,
    ...OPTIONAL,
  })
  output_format?: Free | null;

  @FreeObjectField({
    example: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    description: 'What providers of this form leave out of a long conversation: `edits` whose type begins with clear_.',
    form: CONTEXT_MANAGEMENT,
    ...OPTIONAL,
  })
  context_management?: Free | null;

  @FreeObjectField({
    example: { type: 'ephemeral' },
    description: 'Asks providers that speak the Messages form to keep the prompt in their cache.',
    form: CACHE_CONTROL,
    ...OPTIONAL,
  })
  cache_control?: Free | null;

  @FreeObjectField({
    example: { user_id: 'user-4711' },
    description: 'The end user as `user_id`, for the records. No provider gets it.',
    form: METADATA,
    ...OPTIONAL,
  })
  metadata?: Free | null;

  @TextField({
    example: 'auto',
    description: 'The tier of service: auto, standard_only, or one of chat completions.',
    maxLength: 64,
    ...OPTIONAL,
  })
  service_tier?: string | null;

  @EnumField(['fast', 'standard'], {
    description: 'How fast the answer is made. Providers that have no such choice do not get it; `fast` costs more.',
    ...OPTIONAL,
  })
  speed?: 'fast' | 'standard' | null;

  @TextListField({
    example: ['anthropic/claude-sonnet-4.6'],
    description: 'Models to try one after the other, after `model`.',
    maxItems: 20,
    items: { minLength: 1, maxLength: 400 },
    ...OPTIONAL,
  })
  models?: readonly string[] | null;

  @FreeObjectListField({
    example: [{ model: 'anthropic/claude-sonnet-4.6' }],
    description: 'Like `models`, as objects with a `model`. Not together with `models`.',
    maxItems: 3,
    form: FALLBACK,
    ...OPTIONAL,
  })
  fallbacks?: readonly Free[] | null;

  @TextField({
    example: 'user-4711',
    description: "The caller's own name for the end user. Takes precedence over `metadata.user_id`.",
    maxLength: 256,
    ...OPTIONAL,
  })
  user?: string | null;

  readonly [name: string]: unknown;
}
