import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { EnumField, IntegerField, SchemaField, TextField } from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { inputRules, MAXIMUM_TOKEN, MAXIMUM_INPUTS } from '../input-rules.js';
import { preferenceRules } from '../../../rules/preference-rules.js';
import { RoutedFields, RoutedRequest } from '../../../dto/routed-request.dto.js';

/** The forms of vectors. */
export const ENCODING_FORMATS = ['float', 'base64'] as const;

const TEXT = { type: 'string', minLength: 1 } as const;

const TOKENS = { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0, maximum: MAXIMUM_TOKEN } } as const;

/** The body of a request for embeddings (docs/interface/inference.md#embeddings). Fields that are not named here are handed on. */
@RoutedRequest({ traceName: 'search' })
@Rules(inputRules, preferenceRules)
@SchemaExample({ model: 'gatehouse/echo-embedding', input: ['Where is my parcel?', 'How do I return a parcel?'] })
export class EmbeddingsRequest extends RoutedFields {
  @SchemaField(
    {
      anyOf: [
        TEXT,
        { type: 'array', minItems: 1, maxItems: MAXIMUM_INPUTS, items: TEXT },
        TOKENS,
        { type: 'array', minItems: 1, maxItems: MAXIMUM_INPUTS, items: TOKENS },
        {
          type: 'array',
          minItems: 1,
          maxItems: MAXIMUM_INPUTS,
          items: {
            type: 'object',
            required: ['content'],
            properties: {
              content: {
                type: 'array',
                minItems: 1,
                items: { type: 'object' },
                description:
                  'The parts of the input: `text`, `image_url`, `input_audio`, `input_video`, `input_file`, by their `type`.',
                examples: [[{ type: 'text', text: 'A red bicycle' }]],
              },
            },
          },
        },
      ],
    },
    {
      description:
        'What is embedded: a text, texts, the tokens of a text, those of several, or inputs of several parts.',
      example: ['Where is my parcel?', 'How do I return a parcel?'],
    },
  )
  input: string | readonly (string | number | readonly number[] | { readonly content: readonly unknown[] })[];

  @TextField({
    description: 'An embedding model by id, canonical slug or alias, with a variant (`:nitro`, `:floor`, ...).',
    example: 'gatehouse/echo-embedding',
    minLength: 1,
    maxLength: 400,
  })
  model: string;

  @IntegerField({
    description: 'The length of the vectors, for models that can shorten them.',
    example: 256,
    minimum: 1,
    optional: true,
  })
  dimensions?: number;

  @EnumField(ENCODING_FORMATS, {
    description: 'The form of the vectors: numbers, or base64 of their little-endian 32-bit floats.',
    default: 'float',
    optional: true,
  })
  encoding_format?: (typeof ENCODING_FORMATS)[number];

  @TextField({
    description: 'What the input is for, in the words of the provider: `search_query`, `search_document`, ...',
    example: 'search_document',
    maxLength: 256,
    optional: true,
  })
  input_type?: string;
}
