import type { JsonSchema } from '../../../../../http/openapi/json-schema.js';
import {
  listOf,
  namedSchema,
  objectWith,
  orNull,
  referenceTo,
  referring,
  textOf,
  valueOf,
  wordOf,
} from '../../../../../http/openapi/named-schemas.js';
import { chunkEvent, STREAM_ERROR } from '../../chat/dto/chat-schemas.js';

const eachToken = (description: string, item: JsonSchema, example: unknown): JsonSchema =>
  valueOf('array', description, [example], { items: item });

export const COMPLETION_LOGPROBS = namedSchema(
  'CompletionLogprobs',
  objectWith('The probabilities of tokens, each list with an entry for each token.', {
    tokens: eachToken('The tokens.', { type: 'string' }, 'Write'),
    token_logprobs: eachToken('The natural logarithms of their probabilities.', { type: 'number' }, -0.1),
    top_logprobs: eachToken(
      'Those of the most probable alternatives, by the alternatives.',
      { type: 'object', additionalProperties: { type: 'number' } },
      { Write: -0.1 },
    ),
    text_offset: eachToken('The places in the text where they begin.', { type: 'integer' }, 0),
  }),
);

const CHOICE = namedSchema(
  'CompletionStreamChoice',
  objectWith(
    'A piece of a choice.',
    {
      index: valueOf('integer', 'Which choice, from 0.', 0),
      text: textOf('A piece of the text.', 'Write'),
      finish_reason: orNull(textOf('Why the answer ended; in the last piece.', 'stop')),
      native_finish_reason: orNull(textOf("The provider's own word for it.", 'stop')),
      logprobs: orNull(referring(COMPLETION_LOGPROBS, 'The probabilities of tokens.')),
    },
    ['index', 'text'],
  ),
);

const CHUNK = namedSchema(
  'CompletionChunk',
  objectWith(
    'A piece of a completion.',
    {
      id: textOf('The id of the generation.', 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT'),
      object: wordOf('The type of the object.', 'text_completion'),
      created: valueOf('integer', 'Unix time in seconds.', 1_795_219_200),
      model: textOf('The model that answers.', 'gatehouse/echo'),
      provider: textOf('The provider that answers.', 'Gatehouse'),
      choices: listOf('Pieces of the choices; none in the chunk with the usage.', CHOICE),
      usage: orNull(referring(referenceTo('ChatCompletionUsage'), 'What was used, and what it cost; at the end.')),
      error: STREAM_ERROR,
    },
    ['choices'],
  ),
);

/** An event of a stream of a completion (docs/interface/completions.md). */
export const COMPLETION_STREAM_EVENT = chunkEvent('CompletionStreamEvent', CHUNK);
