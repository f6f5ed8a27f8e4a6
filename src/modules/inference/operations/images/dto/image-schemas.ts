import type { JsonSchema } from '../../../../../http/openapi/json-schema.js';
import {
  anyOf,
  namedSchema,
  objectWith,
  referenceTo,
  referring,
  type SchemaReference,
  textOf,
  valueOf,
} from '../../../../../http/openapi/named-schemas.js';
import { STREAM_ERROR } from '../../chat/dto/chat-schemas.js';

const IMAGE = textOf('The image in base64.', 'iVBORw0KGgo=');

const typeOf = (words: readonly string[]): JsonSchema => ({
  type: 'string',
  enum: words,
  description: 'The kind of event.',
});

/**
 * An event of a stream of images.
 *
 * @param shown what every event of an image has besides
 * @param finished what that of a finished one has too
 */
function streamEvent(
  name: string,
  words: readonly string[],
  shown: Readonly<Record<string, JsonSchema>>,
  finished: Readonly<Record<string, JsonSchema>>,
): SchemaReference {
  const typed = (part: string): JsonSchema => typeOf(words.map((word) => `${word}.${part}`));
  return namedSchema(
    `${name}Event`,
    objectWith(
      'An event.',
      {
        event: textOf('The kind of event, as its data have it, in the form of OpenAI.', `${words[0]}.completed`),
        data: namedSchema(
          `${name}Data`,
          anyOf('What happens in a stream.', [
            namedSchema(
              `${name}Partial`,
              objectWith(
                'An image that is not finished.',
                {
                  type: typed('partial_image'),
                  partial_image_index: valueOf('integer', 'Which of them, from 0.', 0),
                  b64_json: IMAGE,
                  ...shown,
                },
                ['type', 'partial_image_index', 'b64_json'],
              ),
            ),
            namedSchema(
              `${name}Completed`,
              objectWith('A finished image.', { type: typed('completed'), b64_json: IMAGE, ...shown, ...finished }, [
                'type',
                'b64_json',
              ]),
            ),
            namedSchema(
              `${name}Error`,
              objectWith('The answer broke off.', { type: typeOf(['error']), error: STREAM_ERROR }, ['type', 'error']),
            ),
          ]),
        ),
      },
      ['data'],
    ),
  );
}

/** An event of `POST /images` (docs/interface/images.md#streams). */
export const IMAGE_STREAM_EVENT = streamEvent(
  'ImageStream',
  ['image_generation'],
  {},
  {
    media_type: textOf('What the image is.', 'image/png'),
    created: valueOf('integer', 'When the request came, as Unix time in seconds.', 1_795_219_200),
    usage: referring(referenceTo('ImageUsage'), 'Of the last image: what was used, and what it cost.'),
  },
);

/** An event in the form of OpenAI (docs/interface/images.md#openai). */
export const OPENAI_IMAGE_STREAM_EVENT = streamEvent(
  'OpenAiImageStream',
  ['image_generation', 'image_edit'],
  {
    created_at: valueOf('integer', 'When the request came, as Unix time in seconds.', 1_795_219_200),
    size: textOf('As the provider says it, or else the request, as all of these.', '1024x1024'),
    quality: textOf('How carefully the image is drawn.', 'high'),
    background: textOf('What is behind the image.', 'opaque'),
    output_format: textOf('What the image is.', 'png'),
  },
  { usage: referring(referenceTo('OpenAiImageUsage'), 'Of the last image: what was used, and what it cost.') },
);
