import type { ResponsesSettings as Requested } from '../../../../codecs/openai-responses/client-request.js';
import type { ResponsesTool, ResponsesToolChoice } from '../../../../codecs/openai-responses/tools.js';
import { AdditionalProperties } from '../../../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  FreeObjectField,
  FreeObjectListField,
  IntegerField,
  ObjectField,
  SchemaField,
  TextField,
  TextListField,
} from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { CACHE_CONTROL, DEBUG_OPTIONS, IMAGE_CONFIG, PROMPT_CACHE_OPTIONS } from '../../../dto/shared-schemas.js';
import { RESPONSES_TOOL, RESPONSES_TOOL_CHOICE, TEXT_FORMAT } from './responses-schemas.js';
import { ReasoningSettings } from '../../../dto/reasoning-settings.dto.js';
import { ModelRequestSettings } from '../../../dto/request-settings.dto.js';
import { TopLogprobsField } from '../../../dto/top-logprobs-field.js';
import { parameterRules } from '../../../rules/parameter-rules.js';
import { statelessRules } from '../rules/stateless-rules.js';
import { functionRules } from '../rules/function-rules.js';
import { textRules } from '../rules/text-rules.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** How much a model thinks before it answers. */
export class ResponsesReasoning extends ReasoningSettings {}

/** The form of the text of an answer. */
@AdditionalProperties()
export class ResponsesTextOptions {
  @FreeObjectField({
    example: { type: 'text' },
    description: '`text`, `json_object`, or `json_schema` with `name`, `schema`, `strict` and `description`.',
    form: TEXT_FORMAT,
    ...OPTIONAL,
  })
  format?: Readonly<Record<string, unknown>> | null;

  @EnumField(['low', 'medium', 'high', 'xhigh', 'max'], { description: 'How detailed the answer is.', ...OPTIONAL })
  verbosity?: string | null;
}

/**
 * What a request of the Responses interface says besides its input (docs/interface/responses.md). Fields that are not named here
 * have no effect.
 */
@Rules(statelessRules, functionRules, textRules, parameterRules)
export abstract class ResponsesSettings extends ModelRequestSettings implements Requested {
  @TextField({ example: 'Be brief.', description: 'A system message before the input.', ...OPTIONAL })
  instructions?: string | null;

  @IntegerField({ example: 1000, description: 'The maximum of the answer, in tokens.', minimum: 1, ...OPTIONAL })
  max_output_tokens?: number | null;

  @TopLogprobsField()
  top_logprobs?: number | null;

  @FreeObjectListField({
    example: [{ type: 'function', name: 'get_weather', parameters: { type: 'object' } }],
    description:
      'Tools that the caller runs: `function`, `custom`, a `namespace` of them, or a `tool_search` with `execution: client`. Tools that a provider would run are left out; a 400 where there is no other tool.',
    maxItems: 1_000,
    form: RESPONSES_TOOL,
    ...OPTIONAL,
  })
  tools?: readonly ResponsesTool[] | null;

  @SchemaField(
    { anyOf: [RESPONSES_TOOL_CHOICE, { type: 'null' }] },
    {
      example: 'auto',
      description:
        'Whether a tool is called, and which: also `function` or `custom` with a `name`, or `allowed_tools`.',
      optional: true,
    },
  )
  tool_choice?: ResponsesToolChoice | null;

  @BooleanField({ example: true, description: 'Whether the model may call several functions at once.', ...OPTIONAL })
  parallel_tool_calls?: boolean | null;

  @IntegerField({
    example: 8,
    description: 'Accepted without effect: it is about tools that the gateway would call.',
    minimum: 1,
    ...OPTIONAL,
  })
  max_tool_calls?: number | null;

  @ObjectField(() => ResponsesTextOptions, { description: 'The form of the answer.', ...OPTIONAL })
  text?: ResponsesTextOptions | null;

  @ObjectField(() => ResponsesReasoning, { description: 'How much the model thinks.', ...OPTIONAL })
  reasoning?: ResponsesReasoning | null;

  @TextListField({
    example: ['reasoning.encrypted_content'],
    description:
      'Additional contents of the answer: `reasoning.encrypted_content`, `message.output_text.logprobs`. Other values have no effect.',
    maxItems: 20,
    items: { maxLength: 100 },
    ...OPTIONAL,
  })
  include?: readonly string[] | null;

  @BooleanField({ example: false, description: 'Only false: no answer is stored.', default: false, ...OPTIONAL })
  store?: boolean | null;

  @BooleanField({ example: false, description: 'Only false: no answer is stored.', default: false, ...OPTIONAL })
  background?: boolean | null;

  @SchemaField(
    { type: 'null' },
    { example: null, description: 'Only null: no answer is stored. Send the conversation as `input`.', optional: true },
  )
  previous_response_id?: null;

  @SchemaField({ type: 'null' }, { example: null, description: 'Only null: no prompt is stored.', optional: true })
  prompt?: null;

  @EnumField(['auto', 'disabled'], {
    description: 'Accepted without effect: an input that is too long for the model is refused.',
    ...OPTIONAL,
  })
  truncation?: 'auto' | 'disabled' | null;

  @EnumListField(['text', 'image'], {
    example: ['text'],
    description: 'What the answer may consist of.',
    ...OPTIONAL,
  })
  modalities?: readonly ('text' | 'image')[] | null;

  @FreeObjectField({
    example: { aspect_ratio: '16:9' },
    description: 'How images are made, for models that make some.',
    form: IMAGE_CONFIG,
    ...OPTIONAL,
  })
  image_config?: Readonly<Record<string, unknown>> | null;

  @FreeObjectField({
    example: { mode: 'explicit' },
    description: 'How providers with explicit caching cache the prompt.',
    form: PROMPT_CACHE_OPTIONS,
    ...OPTIONAL,
  })
  prompt_cache_options?: Readonly<Record<string, unknown>> | null;

  @FreeObjectField({
    example: { type: 'ephemeral' },
    description: 'The end of the part of the prompt that providers with explicit caching keep in their cache.',
    form: CACHE_CONTROL,
    ...OPTIONAL,
  })
  cache_control?: Readonly<Record<string, unknown>> | null;

  @TextField({
    example: 'user-4711',
    description: 'The end user, for providers that watch over abuse.',
    maxLength: 256,
    ...OPTIONAL,
  })
  safety_identifier?: string | null;

  @FreeObjectField({
    example: { ticket: '4711' },
    description: 'Up to 16 texts by name, which the answer repeats.',
    ...OPTIONAL,
  })
  metadata?: Readonly<Record<string, string>> | null;

  @FreeObjectField({
    example: { echo_upstream_body: false },
    description: 'Debugging output.',
    form: DEBUG_OPTIONS,
    ...OPTIONAL,
  })
  debug?: Readonly<Record<string, unknown>> | null;
}
