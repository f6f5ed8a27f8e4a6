import type { JsonSchema } from '../../../../../http/openapi/json-schema.js';
import {
  anyOf,
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
import { CACHE_CONTROL, JSON_SCHEMA_VALUE, TOKEN_PROBABILITY } from '../../../dto/shared-schemas.js';

/** What the document says of the parts of a chat completion and of its stream (docs/interface/inference.md#messages). */

const MARK = { cache_control: orNull(CACHE_CONTROL) };

const TEXT_PART = namedSchema(
  'ChatTextPart',
  objectWith('A text.', { type: wordOf('A text.', 'text'), text: textOf('The text.', 'Hello'), ...MARK }, [
    'type',
    'text',
  ]),
);

const IMAGE_PART = namedSchema(
  'ChatImagePart',
  objectWith(
    'An image.',
    {
      type: wordOf('An image.', 'image_url'),
      image_url: namedSchema(
        'ChatImageAddress',
        objectWith(
          'Where an image is.',
          {
            url: textOf('The address of the image (https), or a data URL.', 'https://example.com/bicycle.png'),
            detail: textOf('How closely it is looked at: `auto`, `low` or `high`.', 'auto'),
          },
          ['url'],
        ),
      ),
      ...MARK,
    },
    ['type', 'image_url'],
  ),
);

const AUDIO_PART = namedSchema(
  'ChatAudioPart',
  objectWith(
    'A recording.',
    {
      type: wordOf('A recording.', 'input_audio'),
      input_audio: namedSchema(
        'ChatAudioData',
        objectWith('A recording.', {
          data: textOf('The recording in base64.', 'UklGRg=='),
          format: textOf('Its format.', 'wav'),
        }),
      ),
      ...MARK,
    },
    ['type', 'input_audio'],
  ),
);

const VIDEO_PART = namedSchema(
  'ChatVideoPart',
  objectWith(
    'A video.',
    {
      type: {
        type: 'string',
        enum: ['video_url', 'input_video'],
        description: 'A video; the latter is an earlier name.',
      },
      video_url: namedSchema(
        'ChatVideoAddress',
        objectWith(
          'Where a video is.',
          { url: textOf('The address of the video (https), or a data URL.', 'https://example.com/ride.mp4') },
          ['url'],
        ),
      ),
      ...MARK,
    },
    ['type', 'video_url'],
  ),
);

const FILE_PART = namedSchema(
  'ChatFilePart',
  objectWith(
    'A document.',
    {
      type: wordOf('A document.', 'file'),
      file: namedSchema(
        'ChatFile',
        objectWith('A document.', {
          filename: textOf('Its name.', 'report.pdf'),
          file_data: textOf('The document as a data URL, or its address.', 'data:application/pdf;base64,JVBERi0='),
          file_id: textOf('The id of a file that the provider keeps.', 'file-1'),
        }),
      ),
      ...MARK,
    },
    ['type', 'file'],
  ),
);

const OTHER_PART = namedSchema(
  'ChatOtherPart',
  objectWith(
    'A part of another type, which is handed on.',
    { type: textOf('The type, of which providers know more than the gateway.', 'refusal') },
    ['type'],
  ),
);

const PART = namedSchema(
  'ChatContentPart',
  anyOf('A part of a message.', [TEXT_PART, IMAGE_PART, AUDIO_PART, VIDEO_PART, FILE_PART, OTHER_PART]),
);

/** A text, or parts. */
const CONTENT = namedSchema(
  'ChatContent',
  anyOf('What a message says.', [{ type: 'string' }, { type: 'array', items: PART }]),
);

const said = (role: string, description: string): JsonSchema =>
  objectWith(
    description,
    {
      role: wordOf('Who says it.', role),
      content: CONTENT,
      name: textOf('A name, to tell participants of one role from each other.', 'jane'),
    },
    ['role', 'content'],
  );

const SYSTEM_MESSAGE = namedSchema('ChatSystemMessage', said('system', 'Instructions.'));

const DEVELOPER_MESSAGE = namedSchema(
  'ChatDeveloperMessage',
  said('developer', 'Instructions; the newer name of `system`.'),
);

const USER_MESSAGE = namedSchema('ChatUserMessage', said('user', 'What a user says.'));

const TOOL_MESSAGE = namedSchema(
  'ChatToolMessage',
  objectWith(
    'The result of a tool.',
    {
      role: wordOf('Who says it.', 'tool'),
      tool_call_id: valueOf('string', 'The id of the call.', 'call_1', { maxLength: 512 }),
      content: CONTENT,
      name: textOf('The name of the tool.', 'get_weather'),
    },
    ['role', 'tool_call_id', 'content'],
  ),
);

const CALLED_FUNCTION = namedSchema(
  'ChatCalledFunction',
  objectWith(
    'A function, and what it is called with.',
    {
      name: valueOf('string', 'The name of the function.', 'get_weather', { maxLength: 128 }),
      arguments: textOf('The arguments as JSON, as the model wrote them.', '{"city":"Paris"}'),
    },
    ['name', 'arguments'],
  ),
);

export const TOOL_CALL = namedSchema(
  'ChatToolCall',
  objectWith(
    'A call of a tool that the model asks for.',
    {
      id: valueOf('string', 'The id, which the result names.', 'call_1', { maxLength: 512 }),
      type: wordOf('A call of a function.', 'function'),
      function: CALLED_FUNCTION,
    },
    ['id', 'type', 'function'],
  ),
);

const REASONING_DETAIL = namedSchema(
  'ReasoningDetail',
  objectWith('A block of reasoning, which goes back to the provider as it came.', {
    type: textOf('`reasoning.text`, `reasoning.summary` or `reasoning.encrypted`.', 'reasoning.text'),
    text: orNull(textOf('The text.', 'The user greets.')),
    summary: orNull(textOf('The summary.', 'A greeting.')),
    data: orNull(textOf('What only the provider can read.', 'gAAAAAB')),
    signature: orNull(textOf('Signs the text for the provider.', 'ErUB')),
    format: orNull(textOf('Whose reasoning it is.', 'anthropic-claude-v1')),
    id: orNull(textOf('The id of the block.', 'rs_1')),
    index: orNull(valueOf('integer', 'Its place in the answer.', 0)),
  }),
);

const REASONING = {
  reasoning: orNull(textOf('What the model has thought, as a text.', 'The user greets.')),
  reasoning_details: orNull(listOf('The same in the blocks of the provider.', REASONING_DETAIL)),
};

const ANSWERED_IMAGE = namedSchema(
  'ChatAnsweredImage',
  objectWith('An image that the model has made.', {
    type: textOf('`image_url`.', 'image_url'),
    image_url: referenceTo('ChatImageAddress'),
  }),
);

const ANNOTATION = namedSchema(
  'ChatAnnotation',
  objectWith('A source that the text cites.', {
    type: textOf('The kind of source, such as `url_citation`.', 'url_citation'),
  }),
);

const SPOKEN_AUDIO = namedSchema(
  'ChatAudio',
  objectWith('What a model has spoken, or the place where its provider keeps it.', {
    id: textOf('The id under which the provider keeps it.', 'audio_1'),
    data: textOf('The audio in base64.', 'UklGRg=='),
    transcript: textOf('What is said.', 'Hello.'),
    expires_at: valueOf('integer', 'Until when the provider keeps it, as Unix time in seconds.', 1795222800),
  }),
);

/** What a message of the assistant has in requests and in answers. */
const OF_ASSISTANT = {
  refusal: orNull(textOf('Why the model does not answer.', 'I cannot help with that.')),
  ...REASONING,
  annotations: orNull(listOf('The sources.', ANNOTATION)),
  images: orNull(listOf('The images that the model has made.', ANSWERED_IMAGE)),
  audio: orNull(referring(SPOKEN_AUDIO, 'What the model has spoken.')),
};

const ASSISTANT_MESSAGE = namedSchema(
  'ChatAssistantMessage',
  objectWith(
    'What a model has said, as an answer has it.',
    {
      role: wordOf('Who says it.', 'assistant'),
      content: orNull(CONTENT),
      name: textOf('A name, to tell participants of one role from each other.', 'helper'),
      tool_calls: orNull(listOf('The calls of tools.', TOOL_CALL)),
      ...OF_ASSISTANT,
    },
    ['role'],
  ),
);

/** A message of a request. */
export const CHAT_MESSAGE = namedSchema(
  'ChatMessage',
  anyOf('A message of a conversation.', [
    SYSTEM_MESSAGE,
    DEVELOPER_MESSAGE,
    USER_MESSAGE,
    ASSISTANT_MESSAGE,
    TOOL_MESSAGE,
  ]),
);

/** The message of an answer. */
export const ANSWERED_MESSAGE = namedSchema(
  'ChatAnsweredMessage',
  objectWith(
    'What the model has said.',
    {
      role: wordOf('Who says it.', 'assistant'),
      content: orNull(textOf('The text.', 'Write to [EMAIL]')),
      tool_calls: orNull(listOf('The calls of tools.', TOOL_CALL)),
      ...OF_ASSISTANT,
    },
    ['role'],
  ),
);

export const FUNCTION_TOOL = namedSchema(
  'ChatFunctionTool',
  objectWith(
    'A function that the model may call.',
    {
      type: wordOf('A function.', 'function'),
      function: namedSchema(
        'ChatFunction',
        objectWith(
          'A function.',
          {
            name: valueOf('string', 'The name.', 'get_weather', { minLength: 1, maxLength: 64 }),
            description: orNull(textOf('What it does.', 'The weather of a city.')),
            parameters: orNull(JSON_SCHEMA_VALUE),
            strict: orNull(valueOf('boolean', 'Whether arguments always fit the schema.', true)),
          },
          ['name'],
        ),
      ),
      ...MARK,
    },
    ['type', 'function'],
  ),
);

const NAMED_FUNCTION = namedSchema(
  'ChatNamedFunction',
  objectWith('A function by its name.', { name: textOf('The name.', 'get_weather') }, ['name']),
);

export const TOOL_CHOICE = namedSchema(
  'ChatToolChoice',
  anyOf('Whether a tool is called, and which.', [
    { type: 'string', enum: ['none', 'auto', 'required'] },
    namedSchema(
      'ChatFunctionChoice',
      objectWith('This function is called.', { type: wordOf('A function.', 'function'), function: NAMED_FUNCTION }, [
        'type',
        'function',
      ]),
    ),
    namedSchema(
      'ChatAllowedTools',
      objectWith(
        'Only these tools are called.',
        {
          type: wordOf('Some of the tools.', 'allowed_tools'),
          allowed_tools: valueOf(
            'object',
            '`mode` (`auto` or `required`) and `tools`.',
            { mode: 'auto', tools: [{ type: 'function', function: { name: 'get_weather' } }] },
            { additionalProperties: true },
          ),
        },
        ['type'],
      ),
    ),
  ]),
);

export const RESPONSE_FORMAT = namedSchema(
  'ChatResponseFormat',
  objectWith(
    'The form of the answer.',
    {
      type: {
        type: 'string',
        enum: ['text', 'json_object', 'json_schema', 'grammar', 'python'],
        description: 'The kind of form.',
      },
      json_schema: namedSchema(
        'ChatJsonSchema',
        objectWith(
          'A form by a JSON schema.',
          {
            name: valueOf('string', 'The name.', 'weather', { minLength: 1, maxLength: 64 }),
            description: orNull(textOf('What it is for.', 'The weather of a city.')),
            schema: orNull(JSON_SCHEMA_VALUE),
            strict: orNull(valueOf('boolean', 'Whether the answer always fits the schema.', true)),
          },
          ['name'],
        ),
      ),
      grammar: textOf('With `grammar`: the grammar.', 'root ::= "yes" | "no"'),
    },
    ['type'],
  ),
);

export const PREDICTION = namedSchema(
  'ChatPrediction',
  objectWith(
    'What the answer is likely to be.',
    { type: wordOf('A content.', 'content'), content: referring(CONTENT, 'What is likely.') },
    ['content'],
  ),
);

export const LOGPROBS = namedSchema(
  'ChatLogprobs',
  objectWith('How probable the tokens were.', {
    content: orNull(listOf('Those of the text.', TOKEN_PROBABILITY)),
    refusal: orNull(listOf('Those of the refusal.', TOKEN_PROBABILITY)),
  }),
);

const STREAM_TOOL_CALL = namedSchema(
  'ChatStreamToolCall',
  objectWith(
    'A piece of a call.',
    {
      index: valueOf('integer', 'Which call, from 0.', 0),
      id: orNull(textOf('The id; in the first piece.', 'call_1')),
      type: orNull(textOf('`function`; in the first piece.', 'function')),
      function: namedSchema(
        'ChatStreamFunction',
        objectWith('A piece of what is called.', {
          name: orNull(textOf('The name; in the first piece.', 'get_weather')),
          arguments: orNull(textOf('A piece of the arguments.', '{"city"')),
        }),
      ),
    },
    ['index'],
  ),
);

const STREAM_DELTA = namedSchema(
  'ChatStreamDelta',
  objectWith('A piece of a message.', {
    role: textOf('`assistant`; in the first piece.', 'assistant'),
    content: orNull(textOf('A piece of the text.', 'Write')),
    tool_calls: orNull(listOf('Pieces of calls.', STREAM_TOOL_CALL)),
    ...OF_ASSISTANT,
  }),
);

const STREAM_CHOICE = namedSchema(
  'ChatStreamChoice',
  objectWith(
    'A piece of a choice.',
    {
      index: valueOf('integer', 'Which choice, from 0.', 0),
      delta: STREAM_DELTA,
      finish_reason: orNull(textOf('Why the answer ended; in the last piece.', 'stop')),
      native_finish_reason: orNull(textOf("The provider's own word for it.", 'stop')),
      logprobs: orNull(LOGPROBS),
    },
    ['index', 'delta'],
  ),
);

/** What went wrong after a stream had begun. */
export const STREAM_ERROR = namedSchema(
  'StreamError',
  objectWith(
    'What went wrong after the answer had begun.',
    {
      code: valueOf('integer', 'The status that the answer would have had.', 502),
      message: textOf('What went wrong.', 'The provider reported an error.'),
      metadata: valueOf(
        'object',
        'What else is known.',
        { error_type: 'provider_error' },
        { additionalProperties: true },
      ),
    },
    ['code', 'message'],
  ),
);

const CHUNK = namedSchema(
  'ChatCompletionChunk',
  objectWith(
    'A piece of an answer.',
    {
      id: textOf('The id of the generation.', 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT'),
      object: wordOf('The type of the object.', 'chat.completion.chunk'),
      created: valueOf('integer', 'Unix time in seconds.', 1_795_219_200),
      model: textOf('The model that answers.', 'gatehouse/echo'),
      provider: textOf('The provider that answers.', 'Gatehouse'),
      system_fingerprint: textOf("The provider's identifier of its system.", 'fp_1'),
      service_tier: orNull(textOf('The tier of service.', 'default')),
      choices: listOf('Pieces of the choices; none in the chunk with the usage.', STREAM_CHOICE),
      usage: orNull(referring(referenceTo('ChatCompletionUsage'), 'What was used, and what it cost; at the end.')),
      error: STREAM_ERROR,
      router_metadata: referring(
        referenceTo('RouterMetadata'),
        'How the request was routed, if its header asked for that; with the usage.',
      ),
    },
    ['choices'],
  ),
);

/** An event of a stream of chunks, behind which there is `[DONE]`. @param name of its schema */
export function chunkEvent(name: string, chunk: SchemaReference): SchemaReference {
  return namedSchema(
    name,
    objectWith(
      'An event. The last one has `[DONE]` as its data, which is no JSON.',
      { data: referring(chunk, 'A piece of the answer, as JSON.') },
      ['data'],
    ),
  );
}

/** An event of a stream of a chat completion. */
export const CHAT_STREAM_EVENT = chunkEvent('ChatStreamEvent', CHUNK);
