import { InferenceBody } from '../../../api/input/body-limit.js';
import { AdditionalProperties, SchemaExample } from '../../../api/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  FreeObjectField,
  FreeObjectListField,
  IntegerField,
  ObjectField,
  SchemaField,
} from '../../../api/validation/fields.js';
import { Rules } from '../../../api/validation/rules.js';
import type { ChatMessage, FunctionTool, ToolChoice } from '../../providers/chat-completion.js';
import { REASONING_EFFORTS } from '../../providers/chat-completion.js';
import type { JsonObject } from '../../providers/json-values.js';
import { MESSAGES_FIELDS } from '../../providers/messages-fields.js';
import { messageRules } from '../rules/message-rules.js';
import { parameterRules } from '../rules/parameter-rules.js';
import { toolRules } from '../rules/tool-rules.js';
import type { ProviderPreferences } from './provider-preferences.dto.js';
import {
  FrequencyPenaltyField,
  LogitBiasField,
  MaxTokensField,
  MetadataField,
  MinPField,
  ModelField,
  ModelsField,
  PluginsField,
  PresencePenaltyField,
  PresetField,
  PromptCacheKeyField,
  ProviderField,
  RepetitionPenaltyField,
  RouteField,
  SeedField,
  ServiceTierField,
  SessionIdField,
  StopField,
  StreamField,
  StreamOptionsField,
  TemperatureField,
  TopAField,
  TopKField,
  TopLogprobsField,
  TopPField,
  TraceField,
  UserField,
} from './request-fields.js';

const OPTIONAL = { optional: true, nullable: true } as const;

/** How much a model thinks before it answers. */
@AdditionalProperties()
export class ReasoningOptions {
  @EnumField(REASONING_EFFORTS, { description: 'The share of the answer that may be reasoning.', ...OPTIONAL })
  effort?: (typeof REASONING_EFFORTS)[number] | null;

  @EnumField(['auto', 'concise', 'detailed'], { description: 'How reasoning is summarized.', ...OPTIONAL })
  summary?: 'auto' | 'concise' | 'detailed' | null;

  @IntegerField({ example: 1000, description: 'The maximum of reasoning, in tokens.', minimum: 1, ...OPTIONAL })
  max_tokens?: number | null;

  @BooleanField({
    example: false,
    description: 'Whether reasoning is left out of the answer. It is counted nevertheless.',
    ...OPTIONAL,
  })
  exclude?: boolean | null;

  @BooleanField({ example: true, description: 'true alone is the effort medium.', ...OPTIONAL })
  enabled?: boolean | null;
}

/** The body of a chat completion (docs/interface/inference.md#chat-completions). Fields that are not named here are handed on. */
@InferenceBody()
@AdditionalProperties()
@Rules(messageRules, toolRules, parameterRules)
@SchemaExample({
  model: 'gatehouse/echo',
  messages: [{ role: 'user', content: 'Write to jane.doe@example.com' }],
})
export class ChatCompletionRequest {
  @FreeObjectListField({
    description: 'The conversation, oldest message first. Roles: system, developer, user, assistant, tool.',
    minItems: 1,
    example: [{ role: 'user', content: 'Write to jane.doe@example.com' }],
  })
  messages: readonly ChatMessage[];

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

  @StreamOptionsField()
  stream_options?: Readonly<Record<string, unknown>> | null;

  @MaxTokensField()
  max_tokens?: number | null;

  @IntegerField({ example: 1000, description: 'The newer name of max_tokens.', minimum: 1, ...OPTIONAL })
  max_completion_tokens?: number | null;

  @TemperatureField()
  temperature?: number | null;

  @TopPField()
  top_p?: number | null;

  @TopKField()
  top_k?: number | null;

  @MinPField()
  min_p?: number | null;

  @TopAField()
  top_a?: number | null;

  @FrequencyPenaltyField()
  frequency_penalty?: number | null;

  @PresencePenaltyField()
  presence_penalty?: number | null;

  @RepetitionPenaltyField()
  repetition_penalty?: number | null;

  @SeedField()
  seed?: number | null;

  @StopField()
  stop?: string | readonly string[] | null;

  @LogitBiasField()
  logit_bias?: Readonly<Record<string, number>> | null;

  @BooleanField({ example: false, description: 'Whether the probabilities of tokens are returned.', ...OPTIONAL })
  logprobs?: boolean | null;

  @TopLogprobsField()
  top_logprobs?: number | null;

  @FreeObjectListField({
    example: [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }],
    description: 'Functions that the model may call.',
    maxItems: 1_000,
    ...OPTIONAL,
  })
  tools?: readonly FunctionTool[] | null;

  @SchemaField(
    { anyOf: [{ type: 'string', enum: ['none', 'auto', 'required'] }, { type: 'object' }, { type: 'null' }] },
    { example: 'auto', description: 'Whether a tool is called, and which.', optional: true },
  )
  tool_choice?: ToolChoice | null;

  @FreeObjectField({
    example: { type: 'content', content: 'Write to [EMAIL]' },
    description: 'What the answer is likely to be: `type` and `content`.',
    ...OPTIONAL,
  })
  prediction?: { readonly content?: unknown } | null;

  @BooleanField({ example: true, description: 'Whether several tools may be called at once.', ...OPTIONAL })
  parallel_tool_calls?: boolean | null;

  @FreeObjectField({
    example: { type: 'json_object' },
    description: 'The form of the answer: `text`, `json_object`, `json_schema`, `grammar` or `python`.',
    ...OPTIONAL,
  })
  response_format?: Readonly<Record<string, unknown>> | null;

  @ObjectField(() => ReasoningOptions, { description: 'How much the model thinks.', ...OPTIONAL })
  reasoning?: ReasoningOptions | null;

  @EnumField(REASONING_EFFORTS, { description: 'The short form of reasoning.effort.', ...OPTIONAL })
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

  @ServiceTierField()
  service_tier?: string | null;

  @SessionIdField()
  session_id?: string | null;

  @PromptCacheKeyField()
  prompt_cache_key?: string | null;

  @UserField()
  user?: string | null;

  @MetadataField()
  metadata?: Readonly<Record<string, string>> | null;

  @PluginsField()
  plugins?: readonly Readonly<Record<string, unknown>>[] | null;

  @TraceField()
  trace?: Readonly<Record<string, unknown>> | null;

  @FreeObjectField({
    example: { echo_upstream_body: false },
    description:
      'What is shown besides the answer, while developing: with `echo_upstream_body`, a stream begins with what was sent to each provider.',
    ...OPTIONAL,
  })
  debug?: Readonly<Record<string, unknown>> | null;

  /** Of a request that came in the form of the Messages API. */
  readonly [MESSAGES_FIELDS]?: JsonObject;

  readonly [name: string]: unknown;
}
