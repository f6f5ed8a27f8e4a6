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
import { CACHE_CONTROL, JSON_SCHEMA_VALUE } from '../../../dto/shared-schemas.js';

/** What the document says of the parts of a request in the Messages form, of its answer and of its stream (docs/interface/messages.md#content). */

const MARK = { cache_control: orNull(CACHE_CONTROL) };

const CALL_ID = valueOf('string', 'The id of the call.', 'toolu_1', { maxLength: 512 });

type Fields = Readonly<Record<string, JsonSchema>>;

/** A block of a content, by its type. */
function block(name: string, type: string, description: string, fields: Fields, required: string[]): SchemaReference {
  const typed = { type: wordOf('The kind of block.', type), ...fields };
  return namedSchema(name, objectWith(description, typed, ['type', ...required]));
}

const TEXT = block(
  'MessagesTextBlock',
  'text',
  'A text.',
  {
    text: textOf('The text.', 'Hello'),
    citations: orNull(freeObjectsOf('The sources.', { type: 'char_location' })),
    ...MARK,
  },
  ['text'],
);

const SOURCE = namedSchema(
  'MessagesSource',
  objectWith(
    'Where a picture or a document is.',
    {
      type: {
        type: 'string',
        enum: ['base64', 'url', 'text', 'content', 'file'],
        description: 'The kind of source; of a picture `base64` or `url`.',
      },
      media_type: textOf('Of what is given here: its media type.', 'image/png'),
      data: textOf('With `base64` and `text`: the contents.', 'iVBORw0KGgo='),
      url: textOf('With `url`: the address.', 'https://example.com/bicycle.png'),
      file_id: textOf('With `file`: the id of a file that the provider keeps.', 'file_1'),
      content: {
        description: 'With `content`: a text, or blocks.',
        anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'object', additionalProperties: true } }],
        examples: ['A report.'],
      },
    },
    ['type'],
  ),
);

const IMAGE = block('MessagesImageBlock', 'image', 'A picture.', { source: SOURCE, ...MARK }, ['source']);

const DOCUMENT = block(
  'MessagesDocumentBlock',
  'document',
  'A document.',
  {
    source: SOURCE,
    title: orNull(textOf('Its title.', 'Report')),
    context: orNull(textOf('What it is about.', 'The third quarter.')),
    ...MARK,
  },
  ['source'],
);

const SEARCH_RESULT = block(
  'MessagesSearchResultBlock',
  'search_result',
  'What a search has found.',
  {
    title: textOf('The title.', 'Returns'),
    source: textOf('Where it was found.', 'https://example.com/returns'),
    content: listOf('What it says.', TEXT),
    ...MARK,
  },
  ['title', 'source', 'content'],
);

const OTHER = namedSchema(
  'MessagesOtherBlock',
  objectWith(
    'A block of another type, which goes to providers that speak the form.',
    { type: textOf('The kind of block.', 'container_upload') },
    ['type'],
  ),
);

const TOOL_RESULT = block(
  'MessagesToolResultBlock',
  'tool_result',
  'The result of a tool.',
  {
    tool_use_id: CALL_ID,
    content: orNull({
      description: 'What it returned: a text, or blocks.',
      anyOf: [
        { type: 'string' },
        { type: 'array', items: anyOf('A block.', [TEXT, IMAGE, DOCUMENT, SEARCH_RESULT, OTHER]) },
      ],
      examples: ['18 degrees'],
    }),
    is_error: orNull(valueOf('boolean', 'Whether the tool has failed.', false)),
    ...MARK,
  },
  ['tool_use_id'],
);

const THINKING = block(
  'MessagesThinkingBlock',
  'thinking',
  'What the model has thought.',
  { thinking: textOf('The thought.', 'The user greets.'), signature: textOf('Signs it for the provider.', 'ErUB') },
  ['thinking'],
);

const REDACTED_THINKING = block(
  'MessagesRedactedThinkingBlock',
  'redacted_thinking',
  'A thought that only the provider can read.',
  { data: textOf('The thought, sealed.', 'EmwKAhgB') },
  ['data'],
);

const TOOL_USE = block(
  'MessagesToolUseBlock',
  'tool_use',
  'A call of a tool that the model asks for.',
  {
    id: CALL_ID,
    name: valueOf('string', 'The name of the tool.', 'get_weather', { maxLength: 128 }),
    input: valueOf('object', 'The arguments.', { city: 'Paris' }, { additionalProperties: true }),
    ...MARK,
  },
  ['id', 'name'],
);

const said = (name: string, role: string, description: string, blocks: readonly JsonSchema[]): SchemaReference =>
  namedSchema(
    name,
    objectWith(
      description,
      {
        role: wordOf('Who says it.', role),
        content: {
          description: 'A text, or blocks.',
          anyOf: [{ type: 'string' }, { type: 'array', items: anyOf('A block.', blocks) }],
          examples: ['Hello'],
        },
      },
      ['role', 'content'],
    ),
  );

/** A message of a request. */
export const MESSAGE_PARAM = namedSchema(
  'MessagesMessage',
  anyOf('A message of a conversation.', [
    said('MessagesUserMessage', 'user', 'What a user says, and results of tools.', [
      TEXT,
      IMAGE,
      DOCUMENT,
      SEARCH_RESULT,
      TOOL_RESULT,
      OTHER,
    ]),
    said('MessagesAssistantMessage', 'assistant', 'What a model has said.', [
      TEXT,
      THINKING,
      REDACTED_THINKING,
      TOOL_USE,
      OTHER,
    ]),
    said('MessagesSystemMessage', 'system', 'Instructions.', [TEXT, OTHER]),
  ]),
);

/** A block of the instructions. */
export const SYSTEM_BLOCK: JsonSchema = anyOf('A block.', [TEXT, OTHER]);

/** A block of an answer. */
export const ANSWERED_BLOCK = namedSchema(
  'MessagesAnsweredBlock',
  anyOf('A block of an answer.', [TEXT, THINKING, REDACTED_THINKING, TOOL_USE, OTHER]),
);

export const TOOL = namedSchema(
  'MessagesTool',
  objectWith(
    'A tool that the model may call and the client runs.',
    {
      type: orNull(textOf('`custom`, or that of a tool which the form defines.', 'custom')),
      name: valueOf('string', 'The name.', 'get_weather', { minLength: 1, maxLength: 128 }),
      description: textOf('What it does.', 'The weather of a city.'),
      input_schema: JSON_SCHEMA_VALUE,
      ...MARK,
    },
    ['name'],
  ),
);

export const TOOL_CHOICE_PARAM = namedSchema(
  'MessagesToolChoice',
  objectWith(
    'Whether a tool is called, and which.',
    {
      type: { type: 'string', enum: ['auto', 'any', 'tool', 'none'], description: 'Whether a tool is called.' },
      name: textOf('With `tool`: its name.', 'get_weather'),
      disable_parallel_tool_use: orNull(valueOf('boolean', 'Whether only one tool is called at once.', false)),
    },
    ['type'],
  ),
);

export const THINKING_CONFIG = namedSchema(
  'MessagesThinkingConfig',
  objectWith(
    'How the model thinks.',
    {
      type: { type: 'string', enum: ['enabled', 'adaptive', 'disabled'], description: 'Whether it thinks.' },
      budget_tokens: valueOf('integer', 'With `enabled`: the most tokens that it thinks.', 1024, { minimum: 1 }),
      display: orNull(textOf('How thoughts are shown.', 'summarized')),
    },
    ['type'],
  ),
);

export const OUTPUT_FORMAT = namedSchema(
  'MessagesOutputFormat',
  objectWith('The form of the answer.', { type: wordOf('A JSON schema.', 'json_schema'), schema: JSON_SCHEMA_VALUE }, [
    'type',
    'schema',
  ]),
);

export const OUTPUT_CONFIG = namedSchema(
  'MessagesOutputConfig',
  objectWith('How the model answers.', {
    effort: orNull({
      type: 'string',
      enum: ['low', 'medium', 'high', 'xhigh', 'max'],
      description: 'How much the model does.',
    }),
    format: orNull(OUTPUT_FORMAT),
    task_budget: orNull(
      namedSchema(
        'MessagesTaskBudget',
        objectWith('How many tokens the model may use for the whole task. Only providers that have it get it.', {
          type: valueOf('string', 'The unit: `tokens`.', 'tokens'),
          total: valueOf('integer', 'The tokens of the task.', 20_000),
          remaining: orNull(valueOf('integer', 'The tokens that are left of it.', 12_000)),
        }),
      ),
    ),
  }),
);

export const CONTEXT_MANAGEMENT = namedSchema(
  'MessagesContextManagement',
  objectWith('What is left out of a long conversation.', {
    edits: orNull(
      listOf(
        'What is left out.',
        namedSchema(
          'MessagesContextEdit',
          objectWith(
            'Something that is left out.',
            {
              type: valueOf('string', 'Begins with `clear_`.', 'clear_tool_uses_20250919', { pattern: '^clear_' }),
            },
            ['type'],
          ),
        ),
      ),
    ),
  }),
);

export const METADATA = namedSchema(
  'MessagesMetadata',
  objectWith('What the request is about.', { user_id: orNull(textOf('The end user.', 'user-4711')) }),
);

export const FALLBACK = namedSchema('MessagesFallback', {
  type: 'object',
  description: 'A model to try, and nothing else.',
  properties: { model: textOf('The model.', 'anthropic/claude-sonnet-4.6') },
  required: ['model'],
  additionalProperties: false,
});

const INDEX = valueOf('integer', 'Which block, from 0.', 0);

const DELTA = namedSchema(
  'MessagesBlockDelta',
  objectWith(
    'A piece of a block.',
    {
      type: {
        type: 'string',
        enum: ['text_delta', 'input_json_delta', 'thinking_delta', 'signature_delta', 'citations_delta'],
        description: 'What the piece is of.',
      },
      text: textOf('With `text_delta`: a piece of the text.', 'Write'),
      partial_json: textOf('With `input_json_delta`: a piece of the arguments.', '{"city"'),
      thinking: textOf('With `thinking_delta`: a piece of a thought.', 'The user'),
      signature: textOf('With `signature_delta`: what signs the thought.', 'ErUB'),
      citation: valueOf(
        'object',
        'With `citations_delta`: a source.',
        { type: 'char_location' },
        { additionalProperties: true },
      ),
    },
    ['type'],
  ),
);

const event = (name: string, type: string, description: string, fields: Fields = {}): SchemaReference =>
  namedSchema(
    name,
    objectWith(description, { type: wordOf('The kind of event.', type), ...fields }, ['type', ...Object.keys(fields)]),
  );

const EVENT = namedSchema(
  'MessagesStreamData',
  anyOf('What happens in a stream.', [
    event('MessagesStartEvent', 'message_start', 'The answer begins.', {
      message: referring(referenceTo('MessagesResponse'), 'The answer, without its blocks.'),
    }),
    event('MessagesBlockStartEvent', 'content_block_start', 'A block begins.', {
      index: INDEX,
      content_block: ANSWERED_BLOCK,
    }),
    event('MessagesBlockDeltaEvent', 'content_block_delta', 'A piece of a block.', { index: INDEX, delta: DELTA }),
    event('MessagesBlockStopEvent', 'content_block_stop', 'A block ends.', { index: INDEX }),
    event('MessagesDeltaEvent', 'message_delta', 'The answer ends.', {
      delta: namedSchema(
        'MessagesMessageDelta',
        objectWith('Why it ended.', {
          stop_reason: orNull(textOf('Why the answer ended.', 'end_turn')),
          stop_sequence: orNull(textOf('The text at which it ended.', 'END')),
        }),
      ),
      usage: referring(referenceTo('MessagesUsage'), 'What was used, and what it cost.'),
    }),
    event('MessagesStopEvent', 'message_stop', 'The stream ends.'),
    event('MessagesPingEvent', 'ping', 'Nothing: the connection stays open.'),
    event('MessagesErrorEvent', 'error', 'The answer broke off.', {
      error: referring(referenceTo('MessagesErrorDetail'), 'What went wrong.'),
    }),
  ]),
);

/** An event of a stream in the Messages form. */
export const MESSAGES_STREAM_EVENT = namedSchema(
  'MessagesStreamEvent',
  objectWith(
    'An event.',
    { event: textOf('The kind of event, as its data have it.', 'content_block_delta'), data: EVENT },
    ['event', 'data'],
  ),
);

const countOf = (description: string): JsonSchema => valueOf('integer', description, 0);

export const CACHE_CREATION = namedSchema(
  'MessagesCacheCreation',
  objectWith('Tokens written to the cache, by how long it keeps them.', {
    ephemeral_5m_input_tokens: countOf('For five minutes.'),
    ephemeral_1h_input_tokens: countOf('For an hour.'),
  }),
);

export const OUTPUT_TOKENS_DETAILS = namedSchema(
  'MessagesOutputTokensDetails',
  objectWith('The output tokens by kind.', { thinking_tokens: countOf('Of thoughts.') }),
);

export const SERVER_TOOL_USE = namedSchema(
  'MessagesServerToolUse',
  objectWith('How often tools were run that the provider runs.', {
    web_search_requests: countOf('Searches of the web.'),
    web_fetch_requests: countOf('Pages of the web.'),
  }),
);

export const STOP_DETAILS = namedSchema(
  'MessagesStopDetails',
  objectWith('Why the model has refused.', {
    type: textOf('The kind of end.', 'refusal'),
    category: orNull(textOf("The provider's word for what it is about.", 'cyber')),
    explanation: orNull(textOf("The provider's explanation.", 'The request is about malware.')),
  }),
);
