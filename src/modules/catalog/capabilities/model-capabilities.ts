import {
  BooleanField,
  EnumField,
  EnumListField,
  IntegerField,
  ObjectField,
  TextField,
  TextListField,
} from '../../../http/validation/fields.js';
import { REASONING_EFFORTS } from '../model-vocabulary.js';

/** How thinking can be asked for: with a word for its effort, with a number of tokens, as the model sees fit, or only on and off. */
export const REASONING_FORMS = ['effort', 'budget', 'adaptive', 'switch'] as const;

/** The formats of answers that can be asked for. */
export const RESPONSE_FORMATS = ['text', 'json_object', 'json_schema'] as const;

/** The operations of a provider that answer chats. */
export const CHAT_OPERATIONS = ['chat', 'messages', 'responses', 'generate_content', 'converse'] as const;

export type ChatOperation = (typeof CHAT_OPERATIONS)[number];

/** How a provider of the usual form of chats takes back what its models thought. */
export const RETURNED_THOUGHTS = ['text', 'demanded_text', 'reasoning', 'signatures', 'none'] as const;

const MESSAGE_ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

const OPTIONAL = { optional: true } as const;

const FIELD_NAMES = { items: { minLength: 1, maxLength: 64 }, maxItems: 1_000, ...OPTIONAL } as const;

/** Tokens of thinking that a model can be given. */
export class ReasoningBudget {
  @IntegerField({ description: 'The least, in tokens.', example: 1024, minimum: 0, maximum: 10_000_000 })
  minimum: number;

  @IntegerField({ description: 'The most, in tokens.', example: 128_000, minimum: 1, maximum: 10_000_000 })
  maximum: number;
}

/** Names of tools that a provider takes. */
export class ToolNames {
  @IntegerField({ description: 'The most characters of a name.', example: 64, minimum: 16, maximum: 1_024 })
  longest: number;

  @TextField({
    description: 'The characters of a name besides letters of ASCII and digits.',
    example: '_-',
    maxLength: 64,
    ...OPTIONAL,
  })
  further_characters?: string;

  @BooleanField({ description: 'Whether the first must be a letter or `_`.', example: true, ...OPTIONAL })
  begins_with_letter?: boolean;
}

/** The fields of a model's own that Converse hands on to it (`additionalModelRequestFields`). */
export class ModelFields {
  @EnumField(['thinking', 'reasoningConfig', 'reasoning_effort', 'reasoning'], {
    description:
      'How thinking is asked for: `thinking` as the Messages form says it, `reasoningConfig` with a type and an effort, or an effort in one of the other fields.',
    ...OPTIONAL,
  })
  reasoning?: 'thinking' | 'reasoningConfig' | 'reasoning_effort' | 'reasoning';

  @EnumField(['top_k', 'inferenceConfig'], {
    description: 'Where `top_k` stands: in a field of that name, or as `topK` in `inferenceConfig`.',
    ...OPTIONAL,
  })
  top_k?: 'top_k' | 'inferenceConfig';

  @BooleanField({
    description: 'Whether `tool_choice` may say that tools are to be called one at a time.',
    example: true,
    ...OPTIONAL,
  })
  tool_choice?: boolean;

  @BooleanField({ description: 'Whether `anthropic_beta` is known.', example: true, ...OPTIONAL })
  betas?: boolean;

  @BooleanField({
    description: 'Whether the answer can be asked for the sequence at which it stopped.',
    example: true,
    ...OPTIONAL,
  })
  stop_sequence?: boolean;
}

/** The part of JSON Schema that a provider takes where an answer has to obey the schema. */
export class SchemaSupport {
  @TextListField({
    description: 'The keywords, besides `description` and `title`. Others are left out and said in the description.',
    example: ['type', 'properties', 'required', 'items', 'enum'],
    items: { minLength: 1, maxLength: 64 },
    maxItems: 200,
    ...OPTIONAL,
  })
  keywords?: readonly string[];

  @TextListField({
    description: 'The values of `format`; absent if every one is taken.',
    example: ['date-time', 'uuid'],
    items: { minLength: 1, maxLength: 64 },
    maxItems: 200,
    ...OPTIONAL,
  })
  formats?: readonly string[];

  @EnumField(['closed', 'complete'], {
    description:
      'What every object needs: `closed` that it has no further properties, `complete` besides that all its properties are required.',
    ...OPTIONAL,
  })
  objects?: 'closed' | 'complete';

  @IntegerField({ description: 'The largest `minItems`.', example: 1, minimum: 0, maximum: 1_000_000, ...OPTIONAL })
  most_min_items?: number;

  @BooleanField({ description: 'Whether this holds for schemas with `strict` only.', example: true, ...OPTIONAL })
  only_strict?: boolean;
}

/**
 * What a model, its provider and the server at an address can do with a request (docs/interface/capabilities.md). What is absent is
 * unknown: a request is passed on as it is then.
 */
export class ModelCapabilities {
  @EnumListField(CHAT_OPERATIONS, {
    description: 'The operations of the provider that the model is served by.',
    example: ['responses'],
    ...OPTIONAL,
  })
  operations?: readonly (typeof CHAT_OPERATIONS)[number][];

  @EnumListField(REASONING_FORMS, {
    description: 'How thinking is asked for, what is preferred first; empty for a model that cannot be asked to think.',
    example: ['adaptive'],
    ...OPTIONAL,
  })
  reasoning?: readonly (typeof REASONING_FORMS)[number][];

  @EnumListField(REASONING_EFFORTS, {
    description: 'The words for the effort that are known. Any other becomes the nearest of them.',
    example: ['high', 'medium', 'low', 'none'],
    ...OPTIONAL,
  })
  reasoning_efforts?: readonly (typeof REASONING_EFFORTS)[number][];

  @EnumField(REASONING_EFFORTS, { description: 'The effort where a request names none.', ...OPTIONAL })
  default_effort?: (typeof REASONING_EFFORTS)[number];

  @EnumField(['thinking', 'enable_thinking'], {
    description:
      'The field that turns thinking on and off, where no word for the effort does: `thinking` with a `type`, or `enable_thinking`.',
    ...OPTIONAL,
  })
  thinking_switch?: 'thinking' | 'enable_thinking';

  @BooleanField({
    description: 'Whether a tool can be demanded (`tool_choice`) while the model thinks.',
    example: false,
    ...OPTIONAL,
  })
  forced_tools_while_reasoning?: boolean;

  @ObjectField(() => ReasoningBudget, { description: 'The tokens of thinking that can be asked for.', ...OPTIONAL })
  reasoning_budget?: ReasoningBudget;

  @EnumListField(CHAT_OPERATIONS, {
    description:
      'The operations at which the model thinks beside tools. Where its provider has none of them, it gets the effort `none` with tools.',
    example: ['responses'],
    ...OPTIONAL,
  })
  reasoning_with_tools?: readonly (typeof CHAT_OPERATIONS)[number][];

  @BooleanField({ description: 'Whether a tool can be demanded (`tool_choice`) at all.', example: false, ...OPTIONAL })
  forced_tools?: boolean;

  @EnumField(['required', 'optional'], {
    description: 'Whether a call of a tool must come back with the signature of the thought before it.',
    ...OPTIONAL,
  })
  thought_signatures?: 'required' | 'optional';

  @EnumField(RETURNED_THOUGHTS, {
    description:
      'How thoughts of earlier turns go back in the usual form of chats: their `text`, which is `demanded_text` where a turn with calls is refused without it, the text in the field `reasoning`, the `signatures` behind calls, or `none`.',
    ...OPTIONAL,
  })
  returned_thoughts?: (typeof RETURNED_THOUGHTS)[number];

  @TextListField({ description: 'Fields that are refused.', example: ['temperature'], ...FIELD_NAMES })
  refused_parameters?: readonly string[];

  @TextListField({ description: 'Fields that are refused while the model thinks.', example: ['top_p'], ...FIELD_NAMES })
  refused_while_reasoning?: readonly string[];

  @TextListField({
    description: 'Fields of which only one may be given: the first of them that is.',
    example: ['temperature', 'top_p'],
    ...FIELD_NAMES,
  })
  exclusive_parameters?: readonly string[];

  @EnumField(['required', 'optional'], {
    description:
      'Whether a request must say how long its answer may be. The longest answer of the endpoint is then asked for.',
    ...OPTIONAL,
  })
  answer_length?: 'required' | 'optional';

  @EnumField(['max_tokens', 'max_completion_tokens'], {
    description: 'The name of the field for the longest answer.',
    ...OPTIONAL,
  })
  longest_answer_field?: 'max_tokens' | 'max_completion_tokens';

  @IntegerField({
    description: 'The most sequences at which an answer may stop. Those behind them are left out.',
    example: 4,
    minimum: 1,
    maximum: 1_000,
    ...OPTIONAL,
  })
  most_stops?: number;

  @EnumField(['seed', 'random_seed'], { description: 'The name of the field for the seed.', ...OPTIONAL })
  seed_field?: 'seed' | 'random_seed';

  @BooleanField({
    description:
      'Whether a stream may be asked for its usage; false for a provider that always sends it and refuses the field.',
    example: false,
    ...OPTIONAL,
  })
  stream_options?: boolean;

  @EnumListField(RESPONSE_FORMATS, {
    description: 'The types of `response_format`. A schema that cannot be one is said to the model in words.',
    example: ['text', 'json_object'],
    ...OPTIONAL,
  })
  response_formats?: readonly (typeof RESPONSE_FORMATS)[number][];

  @ObjectField(() => SchemaSupport, { description: 'Schemas of `response_format`.', ...OPTIONAL })
  response_schema?: SchemaSupport;

  @BooleanField({
    description:
      'Whether a schema that cannot be a `response_format` becomes that of a tool which the model has to call with its answer.',
    example: true,
    ...OPTIONAL,
  })
  schema_as_tool?: boolean;

  @BooleanField({
    description:
      'Whether a `response_format` of JSON can be asked for beside tools. If not, it is said to the model in words.',
    example: false,
    ...OPTIONAL,
  })
  formats_with_tools?: boolean;

  @ObjectField(() => SchemaSupport, {
    description: 'Schemas of tools, whether or not they have `strict`.',
    ...OPTIONAL,
  })
  tool_schema?: SchemaSupport;

  @BooleanField({ description: 'Whether tools may have `strict`.', example: false, ...OPTIONAL })
  strict_tools?: boolean;

  @ObjectField(() => SchemaSupport, { description: 'Schemas of tools with `strict`.', ...OPTIONAL })
  strict_tool_schema?: SchemaSupport;

  @EnumField(['any', 'object', 'plain_object'], {
    description:
      'What the parameters of a tool must have: `object` the type `object`, `plain_object` besides that `properties`.',
    ...OPTIONAL,
  })
  tool_parameters?: 'any' | 'object' | 'plain_object';

  @BooleanField({
    description: 'Whether the parameters of a tool may have `anyOf`, `oneOf` or `allOf` at their root.',
    example: false,
    ...OPTIONAL,
  })
  root_combinators?: boolean;

  @EnumField(['any', '2020-12'], {
    description: 'The draft of JSON Schema in which the parameters of tools must be written.',
    ...OPTIONAL,
  })
  schema_draft?: 'any' | '2020-12';

  @EnumField(['typed', 'required', 'optional'], {
    description:
      'Whether every list in the parameters of a tool must say what is in it (`items`): `typed` with a type.',
    ...OPTIONAL,
  })
  array_items?: 'typed' | 'required' | 'optional';

  @BooleanField({
    description: 'Whether a schema in the parameters of a tool may have a `type` beside `anyOf` or `oneOf`.',
    example: false,
    ...OPTIONAL,
  })
  type_beside_alternatives?: boolean;

  @BooleanField({ description: 'Whether no two tools may have the same name.', example: true, ...OPTIONAL })
  unique_tool_names?: boolean;

  @BooleanField({
    description:
      'Whether the provider searches the tools whose loading is deferred (`tool_search_tool_...` of the Messages form).',
    example: true,
    ...OPTIONAL,
  })
  tool_search?: boolean;

  @ObjectField(() => ToolNames, { description: 'The names of tools.', ...OPTIONAL })
  tool_names?: ToolNames;

  @EnumField(['any', 'alphanumeric_9', 'at_most_40'], {
    description:
      'The form of the ids of calls: `alphanumeric_9` is nine letters and digits, `at_most_40` at most 40 characters.',
    ...OPTIONAL,
  })
  tool_call_ids?: 'any' | 'alphanumeric_9' | 'at_most_40';

  @BooleanField({
    description: 'Whether no two calls of a conversation may have the same id.',
    example: true,
    ...OPTIONAL,
  })
  unique_call_ids?: boolean;

  @BooleanField({
    description: 'Whether messages of the assistant may say nothing and call nothing.',
    example: false,
    ...OPTIONAL,
  })
  empty_answers?: boolean;

  @BooleanField({
    description:
      'Whether a message of the user may follow the result of a tool. If not, words of the assistant stand between.',
    example: false,
    ...OPTIONAL,
  })
  user_after_result?: boolean;

  @BooleanField({
    description:
      'Whether the user, who begins, and the assistant must take turns. Messages of one of them that follow each other become one.',
    example: true,
    ...OPTIONAL,
  })
  alternating_roles?: boolean;

  @EnumField(['taken', 'prefix', 'refused'], {
    description:
      'Whether a conversation may end with a message of the assistant, which the model then continues: `prefix` with that field.',
    ...OPTIONAL,
  })
  assistant_ending?: 'taken' | 'prefix' | 'refused';

  @EnumField(['none', 'one', 'many'], {
    description:
      'Whether a conversation may have more than one message of the system, or one that is not its first, or none at all.',
    ...OPTIONAL,
  })
  system_messages?: 'none' | 'one' | 'many';

  @BooleanField({ description: 'Whether the role `developer` is known.', example: true, ...OPTIONAL })
  developer_role?: boolean;

  @BooleanField({ description: 'Whether messages may have the `name` of their author.', example: true, ...OPTIONAL })
  author_names?: boolean;

  @BooleanField({ description: 'Whether marks for the cache (`cache_control`) are known.', example: true, ...OPTIONAL })
  cache_marks?: boolean;

  @BooleanField({
    description: 'Whether marks at which a cached prompt ends (`prompt_cache_breakpoint`) are known.',
    example: true,
    ...OPTIONAL,
  })
  cache_breakpoints?: boolean;

  @EnumListField(MESSAGE_ROLES, {
    description: 'The roles whose content may be a list of parts. Others get their texts as one.',
    example: ['user'],
    ...OPTIONAL,
  })
  list_content?: readonly (typeof MESSAGE_ROLES)[number][];

  @TextListField({
    description: 'The fields of a message that are taken. Others are left out, but for those of its reasoning.',
    example: ['role', 'content', 'tool_calls', 'tool_call_id'],
    ...FIELD_NAMES,
  })
  message_fields?: readonly string[];

  @BooleanField({
    description:
      'Whether results of tools may have images and files, in dialects that have a place for them. If not, they stand behind the results.',
    example: true,
    ...OPTIONAL,
  })
  media_in_results?: boolean;

  @TextListField({ description: 'The media types of images.', example: ['image/png', 'image/jpeg'], ...FIELD_NAMES })
  image_types?: readonly string[];

  @TextListField({
    description: 'The media types of files. A file of another type that is a text becomes one.',
    example: ['application/pdf'],
    ...FIELD_NAMES,
  })
  file_types?: readonly string[];

  @EnumField(['required', 'optional'], { description: 'Whether a file must have a name.', ...OPTIONAL })
  file_names?: 'required' | 'optional';

  @TextListField({
    description: 'The beta features of the Messages form that are taken (`anthropic-beta`). Others are left out.',
    example: ['context-1m-2025-08-07'],
    ...FIELD_NAMES,
  })
  betas?: readonly string[];

  @ObjectField(() => ModelFields, {
    description: 'The fields of its own that the model has in Converse (`additionalModelRequestFields`).',
    ...OPTIONAL,
  })
  model_fields?: ModelFields;

  @EnumField(['titan', 'cohere', 'nova'], {
    description: 'The form in which Bedrock has embeddings of the model.',
    ...OPTIONAL,
  })
  embedding_form?: 'titan' | 'cohere' | 'nova';

  @EnumField(['predict', 'embed_content'], {
    description: 'The operation for embeddings of a model on Vertex AI.',
    ...OPTIONAL,
  })
  embedding_operation?: 'predict' | 'embed_content';

  @IntegerField({
    description: 'How many inputs one call for embeddings may have, where a request is divided into several.',
    example: 250,
    minimum: 1,
    maximum: 10_000,
    ...OPTIONAL,
  })
  embedding_inputs?: number;

  @TextListField({
    description: 'The fields of a body that are sent, in place of the list for the protocol. Others are left out.',
    example: ['temperature', 'tools'],
    ...FIELD_NAMES,
  })
  body_fields?: readonly string[];

  @TextListField({
    description: 'Fields of a body that are sent besides. Those of all sources are added up.',
    example: ['chat_template_kwargs'],
    ...FIELD_NAMES,
  })
  extra_body_fields?: readonly string[];
}
