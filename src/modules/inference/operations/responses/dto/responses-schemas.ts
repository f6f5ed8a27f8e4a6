import type { JsonSchema } from '../../../../../http/openapi/json-schema.js';
import {
  anyOf,
  freeObjectsOf,
  listOf,
  namedSchema,
  objectWith,
  orNull,
  referenceTo,
  referring,
  type SchemaReference,
  textOf,
  valueOf,
  wordOf,
} from '../../../../../http/openapi/named-schemas.js';
import { JSON_SCHEMA_VALUE, TOKEN_PROBABILITY } from '../../../dto/shared-schemas.js';

/** What the document says of the items of a request, of its answer and of its stream (docs/interface/responses.md#input). */

type Fields = Readonly<Record<string, JsonSchema>>;

const PART = namedSchema(
  'ResponsesPart',
  objectWith(
    'A part of a message or of a result.',
    {
      type: textOf(
        '`input_text`, `output_text`, `input_image`, `input_file`, `input_audio`, `input_video`, `refusal` or `summary_text`.',
        'input_text',
      ),
      text: textOf('The text.', 'Hello'),
      image_url: orNull(textOf('Of `input_image`: its address (https), or a data URL.', 'https://example.com/a.png')),
      detail: orNull(textOf('Of `input_image`: how closely it is looked at.', 'auto')),
      filename: orNull(textOf('Of `input_file`: its name.', 'report.pdf')),
      file_data: orNull(textOf('Of `input_file`: the document as a data URL.', 'data:application/pdf;base64,JVBERi0=')),
      file_url: orNull(textOf('Of `input_file`: its address.', 'https://example.com/report.pdf')),
      file_id: orNull(textOf('The id of a file that the provider keeps.', 'file-1')),
      refusal: textOf('Of `refusal`: why the model does not answer.', 'I cannot help with that.'),
      annotations: freeObjectsOf('Of `output_text`: the sources.', { type: 'url_citation' }),
      logprobs: orNull(listOf('Of `output_text`: how probable its tokens were.', TOKEN_PROBABILITY)),
    },
    ['type'],
  ),
);

/** A text, or parts. */
const CONTENT = namedSchema(
  'ResponsesContent',
  anyOf('A text, or parts.', [{ type: 'string' }, { type: 'array', items: PART }]),
);

const CALL_ID = valueOf('string', 'The id of the call.', 'call_1', { maxLength: 512 });

const CALLED = {
  call_id: CALL_ID,
  name: textOf('The name of the tool.', 'get_weather'),
  namespace: orNull(textOf('The namespace of the tool.', 'weather')),
};

/** What items have that an answer had. */
const OF_ANSWER = {
  id: orNull(textOf('The id of the item.', 'msg_1')),
  status: orNull(textOf('`in_progress`, `completed` or `incomplete`.', 'completed')),
};

function item(name: string, type: string, description: string, fields: Fields, required: string[]): SchemaReference {
  const typed = { type: wordOf('The kind of item.', type), ...OF_ANSWER, ...fields };
  return namedSchema(name, objectWith(description, typed, ['type', ...required]));
}

const FUNCTION_CALL = item(
  'ResponsesFunctionCall',
  'function_call',
  'A call of a function.',
  { ...CALLED, arguments: textOf('The arguments as JSON.', '{"city":"Paris"}') },
  ['call_id', 'name', 'arguments'],
);

const CUSTOM_CALL = item(
  'ResponsesCustomToolCall',
  'custom_tool_call',
  'A call of a tool with a text.',
  { ...CALLED, input: textOf('The text.', 'ls') },
  ['call_id', 'name', 'input'],
);

const SEARCH_CALL = item(
  'ResponsesToolSearchCall',
  'tool_search_call',
  'A search for tools.',
  {
    call_id: CALL_ID,
    arguments: {
      description: 'What is searched for.',
      anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
      examples: [{ query: 'weather' }],
    },
  },
  ['call_id', 'arguments'],
);

const REASONING = item(
  'ResponsesReasoningItem',
  'reasoning',
  'What a model has thought.',
  {
    summary: orNull(listOf('The summary.', PART)),
    content: orNull(listOf('The thoughts.', PART)),
    encrypted_content: orNull(textOf('What only the provider can read, or the gateway hands back.', 'gAAAAAB')),
    signature: orNull(textOf('Signs the thoughts for the provider.', 'ErUB')),
    format: orNull(textOf('Whose thoughts they are.', 'anthropic-claude-v1')),
  },
  [],
);

const FUNCTION_FIELDS = {
  name: valueOf('string', 'The name.', 'get_weather', { minLength: 1 }),
  description: orNull(textOf('What it does.', 'The weather of a city.')),
};

/** A tool of a request, and of an answer. */
export const RESPONSES_TOOL = namedSchema(
  'ResponsesTool',
  anyOf('A tool.', [
    namedSchema(
      'ResponsesFunctionTool',
      objectWith(
        'A function.',
        {
          type: wordOf('The kind of tool.', 'function'),
          ...FUNCTION_FIELDS,
          parameters: orNull(JSON_SCHEMA_VALUE),
          strict: orNull(valueOf('boolean', 'Whether arguments always fit the schema.', true)),
        },
        ['type', 'name'],
      ),
    ),
    namedSchema(
      'ResponsesCustomTool',
      objectWith(
        'A tool that takes a text.',
        {
          type: wordOf('The kind of tool.', 'custom'),
          ...FUNCTION_FIELDS,
          format: orNull(valueOf('object', 'The form of the text.', { type: 'text' }, { additionalProperties: true })),
        },
        ['type', 'name'],
      ),
    ),
    namedSchema(
      'ResponsesNamespace',
      objectWith(
        'Tools under a common name.',
        {
          type: wordOf('The kind of tool.', 'namespace'),
          ...FUNCTION_FIELDS,
          tools: freeObjectsOf('The tools.', { type: 'function', name: 'get_weather' }),
        },
        ['type', 'name', 'tools'],
      ),
    ),
    namedSchema(
      'ResponsesOtherTool',
      objectWith(
        'A search for tools, or a tool that a provider would run, which is left out.',
        { type: textOf('The kind of tool.', 'tool_search') },
        ['type'],
      ),
    ),
  ]),
);

const SEARCH_OUTPUT = item(
  'ResponsesToolSearchOutput',
  'tool_search_output',
  'What a search for tools has found.',
  { call_id: CALL_ID, tools: listOf('The tools.', RESPONSES_TOOL) },
  ['call_id', 'tools'],
);

const OTHER_ITEM = namedSchema(
  'ResponsesOtherItem',
  objectWith('An item of another type.', { type: textOf('The kind of item.', 'local_shell_call') }, ['type']),
);

const message = (name: string, description: string): SchemaReference =>
  namedSchema(
    name,
    objectWith(
      description,
      {
        type: wordOf('The kind of item.', 'message'),
        ...OF_ANSWER,
        role: { type: 'string', enum: ['system', 'developer', 'user', 'assistant'], description: 'Who says it.' },
        content: orNull(CONTENT),
      },
      ['role'],
    ),
  );

const INPUT_ITEM = namedSchema(
  'ResponsesInputItem',
  anyOf('An item of a conversation.', [
    message('ResponsesInputMessage', 'A message; its type may be left out.'),
    FUNCTION_CALL,
    item(
      'ResponsesFunctionCallOutput',
      'function_call_output',
      'The result of a function.',
      { call_id: CALL_ID, output: CONTENT },
      ['call_id', 'output'],
    ),
    CUSTOM_CALL,
    item(
      'ResponsesCustomToolCallOutput',
      'custom_tool_call_output',
      'The result of a tool that takes a text.',
      { call_id: CALL_ID, output: CONTENT },
      ['call_id', 'output'],
    ),
    SEARCH_CALL,
    SEARCH_OUTPUT,
    REASONING,
    OTHER_ITEM,
  ]),
);

/** What a request asks: a text, or items. */
export const RESPONSES_INPUT: JsonSchema = {
  anyOf: [{ type: 'string' }, { type: 'array', items: INPUT_ITEM, minItems: 1 }],
};

export const RESPONSES_TOOL_CHOICE = namedSchema(
  'ResponsesToolChoice',
  anyOf('Whether a tool is called, and which.', [
    { type: 'string', enum: ['none', 'auto', 'required'] },
    namedSchema(
      'ResponsesNamedChoice',
      objectWith(
        'This tool is called, or only some of them are.',
        {
          type: {
            type: 'string',
            enum: ['function', 'custom', 'allowed_tools'],
            description: 'The kind of tool, or `allowed_tools`.',
          },
          name: textOf('The name of the tool.', 'get_weather'),
          mode: {
            type: 'string',
            enum: ['auto', 'required'],
            description: 'With `allowed_tools`: whether one is called.',
          },
          tools: freeObjectsOf('With `allowed_tools`: those that may be called.', {
            type: 'function',
            name: 'get_weather',
          }),
        },
        ['type'],
      ),
    ),
  ]),
);

export const TEXT_FORMAT = namedSchema(
  'ResponsesTextFormat',
  objectWith(
    'The form of the text.',
    {
      type: { type: 'string', enum: ['text', 'json_object', 'json_schema'], description: 'The kind of form.' },
      name: textOf('With `json_schema`: its name.', 'weather'),
      description: orNull(textOf('With `json_schema`: what it is for.', 'The weather of a city.')),
      schema: JSON_SCHEMA_VALUE,
      strict: orNull(valueOf('boolean', 'With `json_schema`: whether the text always fits it.', true)),
    },
    ['type'],
  ),
);

/** An item of an answer. */
export const OUTPUT_ITEM = namedSchema(
  'ResponsesOutputItem',
  anyOf('An item of an answer.', [
    message('ResponsesOutputMessage', 'What the model has said.'),
    REASONING,
    FUNCTION_CALL,
    CUSTOM_CALL,
    SEARCH_CALL,
    OTHER_ITEM,
  ]),
);

/** The kinds of events of a stream, in groups by what they are about. */
const EVENT_TYPES = [
  ...['created', 'in_progress', 'completed', 'incomplete', 'failed', 'debug'],
  ...['output_item.added', 'output_item.done', 'content_part.added', 'content_part.done'],
  ...['output_text.delta', 'output_text.done', 'output_text.annotation.added', 'refusal.delta', 'refusal.done'],
  ...['reasoning_text.delta', 'reasoning_text.done', 'reasoning_summary_part.added', 'reasoning_summary_part.done'],
  ...['reasoning_summary_text.delta', 'reasoning_summary_text.done'],
  ...['function_call_arguments.delta', 'function_call_arguments.done'],
  ...['custom_tool_call_input.delta', 'custom_tool_call_input.done'],
].map((name) => `response.${name}`);

const EVENT = namedSchema(
  'ResponsesStreamData',
  objectWith(
    'What happens in a stream.',
    {
      type: { type: 'string', enum: EVENT_TYPES, description: 'The kind of event.' },
      sequence_number: valueOf('integer', 'From 0, without gaps.', 0),
      response: referring(referenceTo('ResponsesResponse'), 'Of the first and the last event: the answer.'),
      output_index: valueOf('integer', 'Which item, from 0.', 0),
      item_id: textOf('The id of the item.', 'msg_1'),
      item: OUTPUT_ITEM,
      content_index: valueOf('integer', 'Which part of the item, from 0.', 0),
      summary_index: valueOf('integer', 'Which part of the summary, from 0.', 0),
      part: PART,
      delta: textOf('A piece of the text.', 'Write'),
      text: textOf('The whole text.', 'Write to [EMAIL]'),
      refusal: textOf('The whole refusal.', 'I cannot help with that.'),
      arguments: textOf('The arguments of the call.', '{"city":"Paris"}'),
      input: textOf('The text of the call.', 'ls'),
      name: textOf('The name of the function.', 'get_weather'),
      annotation: valueOf('object', 'A source.', { type: 'url_citation' }, { additionalProperties: true }),
      annotation_index: valueOf('integer', 'Which source, from 0.', 0),
      logprobs: listOf('How probable the tokens were.', TOKEN_PROBABILITY),
      debug: valueOf('object', 'What a provider was sent.', { echo_upstream_body: {} }, { additionalProperties: true }),
    },
    ['type', 'sequence_number'],
  ),
);

/** An event of a stream in the Responses form. */
export const RESPONSES_STREAM_EVENT = namedSchema(
  'ResponsesStreamEvent',
  objectWith(
    'An event.',
    { event: textOf('The kind of event, as its data have it.', 'response.created'), data: EVENT },
    ['event', 'data'],
  ),
);

export const FAILURE = namedSchema(
  'ResponsesFailure',
  objectWith(
    'Why an answer has failed.',
    {
      code: textOf('The kind of failure.', 'server_error'),
      message: textOf('What has failed.', 'Provider returned error'),
    },
    ['code', 'message'],
  ),
);

export const INCOMPLETE_DETAILS = namedSchema(
  'ResponsesIncompleteDetails',
  objectWith(
    'Why an answer was cut.',
    {
      reason: {
        type: 'string',
        enum: ['max_output_tokens', 'content_filter'],
        description: 'What has cut it.',
      },
    },
    ['reason'],
  ),
);

export const ANSWERED_TEXT = namedSchema(
  'ResponsesAnsweredText',
  objectWith('How the text was to be written.', {
    format: referring(TEXT_FORMAT, 'The format.'),
    verbosity: textOf('How long it was to be.', 'medium'),
  }),
);

export const ANSWERED_REASONING = namedSchema(
  'ResponsesAnsweredReasoning',
  objectWith('How the model was to think.', {
    effort: orNull(textOf('How much.', 'medium')),
    summary: orNull(textOf('Which summary of it the answer was to have.', 'auto')),
  }),
);
