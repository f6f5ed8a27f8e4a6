import { Ajv, type AnySchemaObject } from 'ajv';

/*
 * What clients with fixed types require of answers, in our own words: which fields are there, and of which type. Further fields are
 * allowed. They are stricter than the public contract, which makes some of these fields optional.
 */

const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const COUNT = { type: 'integer', minimum: 0 };
const BOOLEAN = { type: 'boolean' };
const TEXT_OR_NULL = { type: ['string', 'null'] };
const OBJECT_OR_NULL = { type: ['object', 'null'] };

function objectWith(
  properties: Readonly<Record<string, AnySchemaObject>>,
  optional: typeof properties = {},
): AnySchemaObject {
  return { type: 'object', required: Object.keys(properties), properties: { ...properties, ...optional } };
}

function listOf(items: AnySchemaObject): AnySchemaObject {
  return { type: 'array', items };
}

const FINISH = { enum: ['stop', 'length', 'tool_calls', 'content_filter', 'error'] };

const FUNCTION_CALL = objectWith({
  id: TEXT,
  type: { const: 'function' },
  function: objectWith({ name: TEXT, arguments: TEXT }),
});

const TOKEN = objectWith({
  token: TEXT,
  logprob: NUMBER,
  bytes: { type: ['array', 'null'] },
  top_logprobs: { type: 'array' },
});

const LOGPROBS = {
  anyOf: [
    { type: 'null' },
    objectWith({
      content: { anyOf: [{ type: 'null' }, listOf(TOKEN)] },
      refusal: { anyOf: [{ type: 'null' }, listOf(TOKEN)] },
    }),
  ],
};

const USAGE = objectWith(
  { prompt_tokens: COUNT, completion_tokens: COUNT, total_tokens: COUNT },
  {
    prompt_tokens_details: { type: 'object', additionalProperties: COUNT },
    completion_tokens_details: { type: 'object', additionalProperties: COUNT },
  },
);

const ERROR_TYPES = [
  'invalid_request_error',
  'authentication_error',
  'insufficient_quota',
  'permission_error',
  'timeout_error',
  'rate_limit_error',
  'server_error',
] as const;

const TIER = { enum: ['auto', 'default', 'flex', 'scale', 'priority', null] };

const CHAT = objectWith(
  {
    id: TEXT,
    object: { const: 'chat.completion' },
    created: COUNT,
    model: TEXT,
    system_fingerprint: TEXT,
    choices: {
      ...listOf(
        objectWith({
          index: COUNT,
          finish_reason: FINISH,
          logprobs: LOGPROBS,
          message: objectWith(
            { role: { const: 'assistant' }, content: TEXT_OR_NULL, refusal: TEXT_OR_NULL },
            { tool_calls: listOf(FUNCTION_CALL), annotations: { type: 'array' } },
          ),
        }),
      ),
      minItems: 1,
    },
    usage: USAGE,
  },
  { service_tier: TIER },
);

const CHAT_CHUNK = objectWith(
  {
    id: TEXT,
    object: { const: 'chat.completion.chunk' },
    created: COUNT,
    model: TEXT,
    choices: listOf(
      objectWith(
        { index: COUNT, finish_reason: { enum: [...FINISH.enum, null] } },
        {
          logprobs: LOGPROBS,
          delta: objectWith(
            {},
            {
              role: { const: 'assistant' },
              content: TEXT_OR_NULL,
              refusal: TEXT_OR_NULL,
              tool_calls: listOf(objectWith({ index: COUNT }, { id: TEXT, type: { const: 'function' } })),
            },
          ),
        },
      ),
    ),
  },
  { system_fingerprint: TEXT, usage: USAGE, service_tier: TIER },
);

const TEXT_LOGPROBS = objectWith({
  tokens: listOf(TEXT),
  token_logprobs: listOf(NUMBER),
  top_logprobs: listOf({ type: 'object', additionalProperties: NUMBER }),
  text_offset: listOf(COUNT),
});

const COMPLETION = objectWith(
  {
    id: TEXT,
    object: { const: 'text_completion' },
    created: COUNT,
    model: TEXT,
    choices: listOf(
      objectWith({
        index: COUNT,
        text: TEXT,
        logprobs: { anyOf: [{ type: 'null' }, TEXT_LOGPROBS] },
        finish_reason: { enum: ['stop', 'length', 'content_filter', 'error', null] },
      }),
    ),
  },
  { system_fingerprint: TEXT, usage: USAGE },
);

const EMBEDDINGS = objectWith({
  object: { const: 'list' },
  model: TEXT,
  data: listOf(
    objectWith({ object: { const: 'embedding' }, index: COUNT, embedding: { anyOf: [TEXT, listOf(NUMBER)] } }),
  ),
  usage: objectWith({ prompt_tokens: COUNT, total_tokens: COUNT }),
});

const MODELS = objectWith({
  object: { const: 'list' },
  data: listOf(objectWith({ id: TEXT, object: { const: 'model' }, created: COUNT, owned_by: TEXT })),
});

const OUTPUT_TEXT = objectWith({
  type: { const: 'output_text' },
  text: TEXT,
  annotations: { type: 'array' },
  logprobs: listOf(TOKEN),
});

const OUTPUT_ITEM: AnySchemaObject = {
  type: 'object',
  required: ['type', 'id'],
  oneOf: [
    objectWith({
      type: { const: 'message' },
      status: TEXT,
      role: { const: 'assistant' },
      content: listOf({ oneOf: [OUTPUT_TEXT, objectWith({ type: { const: 'refusal' }, refusal: TEXT })] }),
    }),
    objectWith({ type: { const: 'function_call' }, status: TEXT, call_id: TEXT, name: TEXT, arguments: TEXT }),
    objectWith({ type: { const: 'reasoning' }, summary: { type: 'array' } }),
  ],
};

/** The values in force stand in every response, also where the request has none. */
const RESPONSE = objectWith(
  {
    id: TEXT,
    object: { const: 'response' },
    created_at: COUNT,
    completed_at: { type: ['integer', 'null'] },
    status: { enum: ['completed', 'incomplete', 'in_progress', 'failed'] },
    incomplete_details: { anyOf: [{ type: 'null' }, objectWith({ reason: TEXT })] },
    model: TEXT,
    previous_response_id: { type: 'null' },
    instructions: TEXT_OR_NULL,
    output: listOf(OUTPUT_ITEM),
    error: { anyOf: [{ type: 'null' }, objectWith({ code: TEXT, message: TEXT })] },
    tools: listOf(
      objectWith({
        type: { const: 'function' },
        name: TEXT,
        description: TEXT_OR_NULL,
        parameters: OBJECT_OR_NULL,
        strict: { type: ['boolean', 'null'] },
      }),
    ),
    tool_choice: { type: ['string', 'object'] },
    truncation: { enum: ['auto', 'disabled'] },
    parallel_tool_calls: BOOLEAN,
    text: objectWith({ format: objectWith({ type: TEXT }), verbosity: { enum: ['low', 'medium', 'high'] } }),
    top_p: NUMBER,
    presence_penalty: NUMBER,
    frequency_penalty: NUMBER,
    top_logprobs: COUNT,
    temperature: NUMBER,
    reasoning: objectWith({ effort: TEXT_OR_NULL, summary: TEXT_OR_NULL }),
    usage: {
      anyOf: [
        { type: 'null' },
        objectWith({
          input_tokens: COUNT,
          input_tokens_details: objectWith({ cached_tokens: COUNT }),
          output_tokens: COUNT,
          output_tokens_details: objectWith({ reasoning_tokens: COUNT }),
          total_tokens: COUNT,
        }),
      ],
    },
    max_output_tokens: { type: ['integer', 'null'] },
    max_tool_calls: { type: ['integer', 'null'] },
    store: BOOLEAN,
    background: BOOLEAN,
    service_tier: TEXT,
    metadata: OBJECT_OR_NULL,
    safety_identifier: TEXT_OR_NULL,
    prompt_cache_key: TEXT_OR_NULL,
  },
  { user: TEXT },
);

const PLACE = { item_id: TEXT, output_index: COUNT };
const PART = { ...PLACE, content_index: COUNT };

/** The events of a stream of the Responses form, by their type, besides `type` and `sequence_number`. */
const RESPONSE_EVENTS: Readonly<Record<string, Readonly<Record<string, AnySchemaObject>>>> = {
  'response.created': { response: RESPONSE },
  'response.in_progress': { response: RESPONSE },
  'response.completed': { response: RESPONSE },
  'response.incomplete': { response: RESPONSE },
  'response.failed': { response: RESPONSE },
  'response.output_item.added': { output_index: COUNT, item: OUTPUT_ITEM },
  'response.output_item.done': { output_index: COUNT, item: OUTPUT_ITEM },
  'response.content_part.added': { ...PART, part: { type: 'object' } },
  'response.content_part.done': { ...PART, part: { type: 'object' } },
  'response.output_text.delta': { ...PART, delta: TEXT, logprobs: listOf(TOKEN) },
  'response.output_text.done': { ...PART, text: TEXT, logprobs: listOf(TOKEN) },
  'response.refusal.delta': { ...PART, delta: TEXT },
  'response.refusal.done': { ...PART, refusal: TEXT },
  'response.function_call_arguments.delta': { ...PLACE, delta: TEXT },
  'response.function_call_arguments.done': { ...PLACE, arguments: TEXT },
  'response.reasoning_text.delta': { ...PART, delta: TEXT },
  'response.reasoning_text.done': { ...PART, text: TEXT },
};

const RESPONSE_EVENT: AnySchemaObject = {
  oneOf: Object.entries(RESPONSE_EVENTS).map(([type, fields]) =>
    objectWith({ type: { const: type }, sequence_number: COUNT, ...fields }),
  ),
};

/** The code is a number, as the public interface has it. */
const FAILURE = objectWith({
  error: objectWith({
    type: { enum: [...ERROR_TYPES] },
    message: TEXT,
    param: TEXT_OR_NULL,
    code: { type: 'integer' },
  }),
});

const engine = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true });

const VALIDATORS = {
  chat: engine.compile(CHAT),
  chatChunk: engine.compile(CHAT_CHUNK),
  completion: engine.compile(COMPLETION),
  embeddings: engine.compile(EMBEDDINGS),
  failure: engine.compile(FAILURE),
  models: engine.compile(MODELS),
  response: engine.compile(RESPONSE),
  responseEvent: engine.compile(RESPONSE_EVENT),
} as const;

export type TypedAnswer = keyof typeof VALIDATORS;

/** Checks that an answer has all that typed clients require. */
export function expectTyped(kind: TypedAnswer, answer: unknown): void {
  const validate = VALIDATORS[kind];
  const issues = validate(answer)
    ? []
    : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
  expect({ answer, issues }).toEqual({ answer, issues: [] });
}
