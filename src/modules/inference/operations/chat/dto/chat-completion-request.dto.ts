import { InferenceBody } from '../../../../../http/input/body-limit.js';
import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  FreeObjectField,
  FreeObjectListField,
  IntegerField,
  ObjectField,
  SchemaField,
} from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import type { ChatMessage, FunctionTool, ToolChoice } from '../../../../codecs/chat/chat-completion.js';
import type { ClientChatRequest } from '../../../../codecs/chat/client-request.js';
import type { JsonObject } from '../../../../codecs/chat/json-values.js';
import { MESSAGES_FIELDS } from '../../../../codecs/chat/messages-fields.js';
import { REASONING_EFFORTS } from '../../../../catalog/model-vocabulary.js';
import { argumentRules } from '../rules/argument-rules.js';
import { choiceCountRules } from '../../../rules/choice-count-rules.js';
import { messageRules } from '../rules/message-rules.js';
import { parameterRules } from '../../../rules/parameter-rules.js';
import { toolRules } from '../rules/tool-rules.js';
import { CACHE_CONTROL, DEBUG_OPTIONS, IMAGE_CONFIG, PROMPT_CACHE_OPTIONS } from '../../../dto/shared-schemas.js';
import { CHAT_MESSAGE, FUNCTION_TOOL, PREDICTION, RESPONSE_FORMAT, TOOL_CHOICE } from './chat-schemas.js';
import { ReasoningSettings } from '../../../dto/reasoning-settings.dto.js';
import { CompletionSettings } from '../../../dto/request-settings.dto.js';
import { TopLogprobsField } from '../../../dto/top-logprobs-field.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** How much a model thinks before it answers, and whether the answer shows it. */
export class ReasoningOptions extends ReasoningSettings {
  @BooleanField({
    example: false,
    description: 'Whether reasoning is left out of the answer. It is counted nevertheless.',
    ...OPTIONAL,
  })
  exclude?: boolean | null;
}

/** The body of a chat completion (docs/interface/inference.md#chat-completions). Fields that are not named here are handed on. */
@InferenceBody()
@Rules(messageRules, argumentRules, toolRules, choiceCountRules, parameterRules)
@SchemaExample({
  model: 'gatehouse/echo',
  messages: [{ role: 'user', content: 'Write to jane.doe@example.com' }],
})
export class ChatCompletionRequest extends CompletionSettings implements ClientChatRequest {
  @FreeObjectListField({
    description: 'The conversation, oldest message first. Roles: system, developer, user, assistant, tool.',
    minItems: 1,
    example: [{ role: 'user', content: 'Write to jane.doe@example.com' }],
    form: CHAT_MESSAGE,
  })
  messages: readonly ChatMessage[];

  @IntegerField({ example: 1000, description: 'The newer name of max_tokens.', minimum: 1, ...OPTIONAL })
  max_completion_tokens?: number | null;

  @BooleanField({ example: false, description: 'Whether the probabilities of tokens are returned.', ...OPTIONAL })
  logprobs?: boolean | null;

  @TopLogprobsField()
  top_logprobs?: number | null;

  @FreeObjectListField({
    example: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }],
    description: 'Functions that the model may call.',
    maxItems: 1_000,
    form: FUNCTION_TOOL,
    ...OPTIONAL,
  })
  tools?: readonly FunctionTool[] | null;

  @SchemaField(
    { anyOf: [TOOL_CHOICE, { type: 'null' }] },
    { example: 'auto', description: 'Whether a tool is called, and which.', optional: true },
  )
  tool_choice?: ToolChoice | null;

  @FreeObjectField({
    example: { type: 'content', content: 'Write to [EMAIL]' },
    description: 'What the answer is likely to be: `type` and `content`.',
    form: PREDICTION,
    ...OPTIONAL,
  })
  prediction?: { readonly content?: unknown } | null;

  @BooleanField({ example: true, description: 'Whether the model may call several tools at once.', ...OPTIONAL })
  parallel_tool_calls?: boolean | null;

  @FreeObjectField({
    example: { type: 'json_object' },
    description: 'The form of the answer: `text`, `json_object`, `json_schema`, `grammar` or `python`.',
    form: RESPONSE_FORMAT,
    ...OPTIONAL,
  })
  response_format?: Readonly<Record<string, unknown>> | null;

  @ObjectField(() => ReasoningOptions, { description: 'How much the model thinks.', ...OPTIONAL })
  reasoning?: ReasoningOptions | null;

  @EnumField(REASONING_EFFORTS, { description: 'A short form of reasoning.effort.', ...OPTIONAL })
  reasoning_effort?: (typeof REASONING_EFFORTS)[number] | null;

  @BooleanField({
    example: true,
    description: 'false is the earlier form of reasoning.exclude.',
    deprecated: true,
    ...OPTIONAL,
  })
  include_reasoning?: boolean | null;

  @EnumListField(['text', 'image', 'audio'], {
    example: ['text'],
    description: 'What the answer may consist of.',
    ...OPTIONAL,
  })
  modalities?: readonly ('text' | 'image' | 'audio')[] | null;

  @FreeObjectField({
    example: { echo_upstream_body: false },
    description:
      'Debugging output: with `echo_upstream_body`, a stream begins with the bodies that were sent to providers.',
    form: DEBUG_OPTIONS,
    ...OPTIONAL,
  })
  debug?: Readonly<Record<string, unknown>> | null;

  @FreeObjectField({
    example: { type: 'ephemeral' },
    description: 'The end of the part of the prompt that providers with explicit caching keep in their cache.',
    form: CACHE_CONTROL,
    ...OPTIONAL,
  })
  cache_control?: Readonly<Record<string, unknown>> | null;

  @FreeObjectField({
    example: { mode: 'explicit' },
    description: 'How providers with explicit caching cache the prompt.',
    form: PROMPT_CACHE_OPTIONS,
    ...OPTIONAL,
  })
  prompt_cache_options?: Readonly<Record<string, unknown>> | null;

  @FreeObjectField({
    example: { aspect_ratio: '16:9' },
    description: 'How images are made, for models that make some.',
    form: IMAGE_CONFIG,
    ...OPTIONAL,
  })
  image_config?: Readonly<Record<string, unknown>> | null;

  /** Of a request that came in the form of the Messages API. */
  readonly [MESSAGES_FIELDS]?: JsonObject;

  readonly [name: string]: unknown;
}
