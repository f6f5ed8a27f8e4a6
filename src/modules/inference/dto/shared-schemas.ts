import {
  closedObject,
  namedSchema,
  objectWith,
  orNull,
  textOf,
  valueOf,
  wordOf,
} from '../../../http/openapi/named-schemas.js';
import type { JsonSchema } from '../../../http/openapi/json-schema.js';

/** What the document says of parts that the forms of requests share. */

/** A JSON schema as a client writes it. */
export const JSON_SCHEMA_VALUE: JsonSchema = valueOf(
  'object',
  'A JSON schema.',
  { type: 'object', properties: { city: { type: 'string' } } },
  { additionalProperties: true },
);

export const CACHE_CONTROL = namedSchema(
  'CacheControl',
  objectWith(
    'The end of the part of the prompt that a provider keeps in its cache.',
    {
      type: wordOf('The kind of cache.', 'ephemeral'),
      ttl: { type: 'string', enum: ['5m', '1h'], description: 'How long it is kept.' },
    },
    ['type'],
  ),
);

export const TRACE = namedSchema(
  'RequestTrace',
  objectWith('The names of a request in traces; further fields are its attributes.', {
    trace_id: textOf('The id of the trace.', 'trace-1'),
    trace_name: textOf('The name of the trace.', 'support'),
    span_name: textOf('The name of a span around the generation.', 'answer'),
    generation_name: textOf('The name of the generation.', 'first draft'),
    parent_span_id: textOf('The span that the generation belongs to.', 'span-1'),
  }),
);

export const PLUGIN = namedSchema(
  'RequestPlugin',
  objectWith(
    'A further step of processing.',
    {
      id: textOf('Its name: `context-compression` or `response-healing`.', 'context-compression'),
      enabled: valueOf('boolean', 'false switches it off.', true),
      engine: textOf('Of `context-compression`: `middle-out`.', 'middle-out'),
    },
    ['id'],
  ),
);

const priceOf = (description: string): JsonSchema => ({
  description,
  anyOf: [{ type: 'number', minimum: 0 }, { type: 'string' }],
  examples: [1],
});

export const MAX_PRICE = namedSchema(
  'MaxPrice',
  closedObject('The highest prices, in US dollars.', {
    prompt: priceOf('For a million tokens of the prompt.'),
    completion: priceOf('For a million tokens of the answer.'),
    request: priceOf('For a request.'),
    image: priceOf('For an image.'),
    audio: priceOf('For audio: a recording, a second or a character of it.'),
  }),
);

const percentileOf = (description: string): JsonSchema => valueOf('number', description, 2, { exclusiveMinimum: 0 });

export const PERCENTILES = namedSchema(
  'PercentileBounds',
  closedObject('A bound for each share of the requests.', {
    p50: percentileOf('Of half of the requests.'),
    p75: percentileOf('Of 75 % of the requests.'),
    p90: percentileOf('Of 90 % of the requests.'),
    p99: percentileOf('Of 99 % of the requests.'),
  }),
);

export const IMAGE_CONFIG = namedSchema(
  'ImageConfig',
  objectWith('How images are made, for models that make some.', {
    aspect_ratio: textOf('Width to height.', '16:9'),
    image_size: textOf('The resolution.', '1K'),
  }),
);

export const PROMPT_CACHE_OPTIONS = namedSchema(
  'PromptCacheOptions',
  objectWith('How providers with explicit caching cache the prompt.', {
    mode: wordOf('Only what is marked is cached.', 'explicit'),
    ttl: textOf('How long it is kept.', '30m'),
  }),
);

export const DEBUG_OPTIONS = namedSchema(
  'DebugOptions',
  objectWith('Debugging output.', {
    echo_upstream_body: valueOf(
      'boolean',
      'Whether a stream begins with the bodies that were sent to providers.',
      false,
    ),
  }),
);

export const STREAM_OPTIONS = namedSchema(
  'StreamOptions',
  objectWith('Settings of a stream.', {
    include_usage: valueOf('boolean', 'Accepted without effect: a stream always ends with its usage.', true),
  }),
);

const PROBABILITY = {
  token: textOf('The token.', 'Hello'),
  logprob: valueOf('number', 'The natural logarithm of its probability.', -0.1),
  bytes: orNull({
    type: 'array',
    description: 'Its bytes in UTF-8.',
    items: { type: 'integer' },
    examples: [[72, 101, 108, 108, 111]],
  }),
};

const TOP_PROBABILITY = namedSchema(
  'TopTokenProbability',
  objectWith('An alternative of a token.', PROBABILITY, ['token', 'logprob']),
);

export const TOKEN_PROBABILITY = namedSchema(
  'TokenProbability',
  objectWith(
    'A token, and how probable it was.',
    {
      ...PROBABILITY,
      top_logprobs: { type: 'array', description: 'The most probable alternatives.', items: TOP_PROBABILITY },
    },
    ['token', 'logprob'],
  ),
);

const tokensOf = (description: string): JsonSchema => orNull(valueOf('integer', description, 0));

export const PROMPT_TOKENS_DETAILS = namedSchema(
  'PromptTokensDetails',
  objectWith('The tokens of the prompt by kind.', {
    cached_tokens: tokensOf('Read from a cache.'),
    cache_write_tokens: tokensOf('Written to a cache.'),
    audio_tokens: tokensOf('Of recordings.'),
    image_tokens: tokensOf('Of images.'),
    video_tokens: tokensOf('Of videos.'),
  }),
);

export const COMPLETION_TOKENS_DETAILS = namedSchema(
  'CompletionTokensDetails',
  objectWith('The tokens of the answer by kind.', {
    reasoning_tokens: tokensOf('Of reasoning.'),
    audio_tokens: tokensOf('Of speech.'),
    image_tokens: tokensOf('Of images.'),
    accepted_prediction_tokens: tokensOf('Of the prediction, as they came.'),
    rejected_prediction_tokens: tokensOf('Of the prediction, in vain.'),
  }),
);

export const INPUT_TOKENS_DETAILS = namedSchema(
  'InputTokensDetails',
  objectWith('The tokens of the input by kind, where the provider counts them.', {
    text_tokens: tokensOf('Of texts.'),
    image_tokens: tokensOf('Of images.'),
    audio_tokens: tokensOf('Of recordings.'),
    video_tokens: tokensOf('Of videos.'),
    file_tokens: tokensOf('Of files.'),
  }),
);
