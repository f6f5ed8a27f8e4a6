import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { SchemaField, TextField } from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { RoutedFields, RoutedRequest } from '../../../dto/routed-request.dto.js';
import { preferenceRules } from '../../../rules/preference-rules.js';
import { MAXIMUM_INPUTS, moderatedInputRules } from '../moderated-input-rules.js';

/** A part of an input: a text or an image. */
export type ModeratedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

const TEXT = { type: 'string' } as const;

/** The body of a request to classify texts and images (docs/interface/inference.md#moderations). Fields that are not named here are handed on. */
@RoutedRequest({ traceName: 'comment' })
@Rules(moderatedInputRules, preferenceRules)
@SchemaExample({ model: 'gatehouse/echo-moderation', input: ['Where is my parcel?', 'A text about violence'] })
export class ModerationRequest extends RoutedFields {
  @SchemaField(
    {
      anyOf: [
        TEXT,
        { type: 'array', minItems: 1, maxItems: MAXIMUM_INPUTS, items: TEXT },
        {
          type: 'array',
          minItems: 1,
          maxItems: MAXIMUM_INPUTS,
          items: {
            type: 'object',
            required: ['type'],
            properties: {
              type: { type: 'string', enum: ['text', 'image_url'], description: 'What the part is.' },
              text: { type: 'string', description: 'The text.', examples: ['Where is my parcel?'] },
              image_url: {
                type: 'object',
                description: 'The image.',
                required: ['url'],
                properties: {
                  url: {
                    type: 'string',
                    description: 'The address of an image, or a data URL.',
                    examples: ['https://example.com/shop.png'],
                  },
                },
              },
            },
          },
        },
      ],
    },
    {
      description: 'What is classified: a text, texts one by one, or the parts of one input.',
      example: ['Where is my parcel?', 'A text about violence'],
    },
  )
  input: string | readonly string[] | readonly ModeratedPart[];

  @TextField({
    description: 'A moderation model by id, canonical slug or alias, with a variant (`:nitro`, `:floor`, ...).',
    example: 'gatehouse/echo-moderation',
    minLength: 1,
    maxLength: 400,
  })
  model: string;
}
