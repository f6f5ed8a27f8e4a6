import { SchemaExample } from '../../../../../http/validation/dto-fields.js';
import { IntegerField, SchemaField, TextField } from '../../../../../http/validation/fields.js';
import { Rules } from '../../../../../http/validation/rules.js';
import { RoutedFields, RoutedRequest } from '../../../dto/routed-request.dto.js';
import { preferenceRules } from '../../../rules/preference-rules.js';
import { documentRules, MAXIMUM_DOCUMENTS } from '../document-rules.js';

/** A document that is ranked. */
export type RankedInput = string | { readonly text?: string; readonly image?: string };

/** The body of a request to rank documents (docs/interface/rerank.md). Fields that are not named here are handed on. */
@RoutedRequest({ traceName: 'search' })
@Rules(documentRules, preferenceRules)
@SchemaExample({
  model: 'cohere/rerank-v3.5',
  query: 'How do I return a parcel?',
  documents: ['Parcels can be returned within 30 days.', 'Our shop opens at nine.'],
})
export class RerankRequest extends RoutedFields {
  @TextField({
    description: 'A reranking model by id, canonical slug or alias, with a variant (`:nitro`, `:floor`, ...).',
    example: 'cohere/rerank-v3.5',
    minLength: 1,
    maxLength: 400,
  })
  model: string;

  @TextField({
    description: 'What the documents are ranked by.',
    example: 'How do I return a parcel?',
    minLength: 1,
  })
  query: string;

  @SchemaField(
    {
      type: 'array',
      minItems: 1,
      maxItems: MAXIMUM_DOCUMENTS,
      items: {
        anyOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: {
              text: { type: 'string', description: 'The text of the document.', examples: ['Our shop opens at nine.'] },
              image: {
                type: 'string',
                description: 'The address of an image, or a data URL, for models that read images.',
                examples: ['https://example.com/shop.png'],
              },
            },
          },
        ],
      },
    },
    {
      description: 'The documents: texts, or objects with a `text` or an `image`.',
      example: ['Parcels can be returned within 30 days.', 'Our shop opens at nine.'],
    },
  )
  documents: readonly RankedInput[];

  @IntegerField({
    description: 'How many documents are answered at most, the most relevant ones; all by default.',
    example: 3,
    minimum: 1,
    optional: true,
  })
  top_n?: number;
}
