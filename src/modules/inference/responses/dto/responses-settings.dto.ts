import { AdditionalProperties } from '../../../../api/validation/dto-fields.js';
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
} from '../../../../api/validation/fields.js';
import { Rules } from '../../../../api/validation/rules.js';
import { REASONING_EFFORTS } from '../../../providers/chat-completion.js';
import type { ProviderPreferences } from '../../dto/provider-preferences.dto.js';
import {
  FrequencyPenaltyField,
  ModelField,
  ModelsField,
  PresencePenaltyField,
  PresetField,
  PromptCacheKeyField,
  ProviderField,
  RouteField,
  SessionIdField,
  StreamField,
  TemperatureField,
  TopKField,
  TopLogprobsField,
  TopPField,
  TraceField,
} from '../../dto/request-fields.js';
import { parameterRules } from '../../rules/parameter-rules.js';
import type { ResponsesTool, ResponsesToolChoice } from '../request/function-tools.js';
import { statelessRules } from '../rules/stateless-rules.js';
import { functionRules } from '../rules/function-rules.js';
import { textRules } from '../rules/text-rules.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** How much a model thinks before it answers. */
@AdditionalProperties()
export class ResponsesReasoning {
  @EnumField(REASONING_EFFORTS, { description: 'The share of the answer that may be reasoning.', ...OPTIONAL })
  effort?: (typeof REASONING_EFFORTS)[number] | null;

  @EnumField(['auto', 'concise', 'detailed'], { description: 'How reasoning is summarized.', ...OPTIONAL })
  summary?: 'auto' | 'concise' | 'detailed' | null;

  @IntegerField({ example: 1000, description: 'The maximum of reasoning, in tokens.', minimum: 1, ...OPTIONAL })
  max_tokens?: number | null;

  @BooleanField({ example: true, description: 'true alone is the effort medium.', ...OPTIONAL })
  enabled?: boolean | null;
}

/** The form of the text of an answer. */
@AdditionalProperties()
export class ResponsesTextOptions {
  @FreeObjectField({
    example: { type: 'text' },
    description: '`text`, `json_object`, or `json_schema` with `name`, `schema`, `strict` and `description`.',
    ...OPTIONAL,
  })
  format?: Readonly<Record<string, unknown>> | null;

  @EnumField(['low', 'medium', 'high', 'xhigh', 'max'], { description: 'How much the model says.', ...OPTIONAL })
  verbosity?: string | null;
}

/**
 * What a request of the Responses interface says besides its input (docs/interface/responses.md). Fields that are not named here
 * have no effect.
 */
@AdditionalProperties()
@Rules(statelessRules, functionRules, textRules, parameterRules)
export abstract class ResponsesSettings {
  @TextField({ example: 'Be brief.', description: 'A system message before the input.', ...OPTIONAL })
  instructions?: string | null;

  @ModelField()
  model?: string;

  @ModelsField()
  models?: readonly string[];

  @PresetField()
  preset?: string;

  @ProviderField()
  provider?: ProviderPreferences | null;

  @RouteField()
  route?: 'fallback' | 'sort' | null;

  @StreamField()
  stream?: boolean | null;

  @IntegerField({ example: 1000, description: 'The maximum of the answer, in tokens.', minimum: 1, ...OPTIONAL })
  max_output_tokens?: number | null;

  @TemperatureField()
  temperature?: number | null;

  @TopPField()
  top_p?: number | null;

  @TopKField()
  top_k?: number | null;

  @TopLogprobsField()
  top_logprobs?: number | null;

  @FrequencyPenaltyField()
  frequency_penalty?: number | null;

  @PresencePenaltyField()
  presence_penalty?: number | null;

  @FreeObjectListField({
    example: [{ type: 'function', name: 'get_weather', parameters: { type: 'object' } }],
    description: 'Functions that the model may call. Tools of other types are refused.',
    maxItems: 1_000,
    ...OPTIONAL,
  })
  tools?: readonly ResponsesTool[] | null;

  @SchemaField(
    { anyOf: [{ type: 'string', enum: ['none', 'auto', 'required'] }, { type: 'object' }, { type: 'null' }] },
    {
      example: 'auto',
      description: 'Whether a function is called, and which: also `function` with a `name`, or `allowed_tools`.',
      optional: true,
    },
  )
  tool_choice?: ResponsesToolChoice | null;

  @BooleanField({ example: true, description: 'Whether several functions may be called at once.', ...OPTIONAL })
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
      'What the answer has besides: `reasoning.encrypted_content`, `message.output_text.logprobs`. Other words have no effect.',
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
    ...OPTIONAL,
  })
  image_config?: Readonly<Record<string, unknown>> | null;

  @EnumField(['auto', 'default', 'fast', 'flex', 'priority', 'scale'], {
    description: 'The tier of service.',
    ...OPTIONAL,
  })
  service_tier?: string | null;

  @SessionIdField()
  session_id?: string | null;

  @PromptCacheKeyField()
  prompt_cache_key?: string | null;

  @FreeObjectField({
    example: { mode: 'explicit' },
    description: 'How providers with explicit caching cache the prompt.',
    ...OPTIONAL,
  })
  prompt_cache_options?: Readonly<Record<string, unknown>> | null;

  @FreeObjectField({
    example: { type: 'ephemeral' },
    description: 'Up to where providers with explicit caching cache the prompt.',
    ...OPTIONAL,
  })
  cache_control?: Readonly<Record<string, unknown>> | null;

  @TextField({
    example: 'user-4711',
    description: 'The end user, in the words of the caller.',
    maxLength: 256,
    ...OPTIONAL,
  })
  user?: string | null;

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

  @FreeObjectListField({
    example: [{ id: 'context-compression' }],
    description: 'Further steps of processing, by their id.',
    maxItems: 50,
    ...OPTIONAL,
  })
  plugins?: readonly Readonly<Record<string, unknown>>[] | null;

  @TraceField()
  trace?: Readonly<Record<string, unknown>> | null;

  @FreeObjectField({
    example: { echo_upstream_body: false },
    description: 'What is shown besides the answer, while developing.',
    ...OPTIONAL,
  })
  debug?: Readonly<Record<string, unknown>> | null;
}
