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

const CHOICE = namedSchema(
  'CompletionStreamChoice',
  objectWith(
    'A piece of a choice.',
    {
      index: valueOf('integer', 'Which choice, from 0.', 0),
      text: textOf('A piece of the text.', 'Write'),
      finish_reason: orNull(textOf('Why the answer ended; in the last piece.', 'stop')),
      native_finish_reason: orNull(textOf("The provider's own word for it.", 'stop')),
      logprobs: orNull(
        valueOf('object', 'The probabilities of tokens.', { tokens: ['Write'] }, { additionalProperties: true }),
      ),
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
