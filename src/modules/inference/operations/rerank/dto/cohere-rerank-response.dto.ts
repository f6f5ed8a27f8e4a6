import {
  FreeObjectField,
  IntegerField,
  NumberField,
  ObjectListField,
  TextField,
} from '../../../../../http/validation/fields.js';

/** A document and how relevant it is, as Cohere answers it. */
export class CohereRerankResult {
  @IntegerField({ description: 'The place of the document in the request, from 0.', example: 0 })
  index: number;

  @NumberField({ description: 'How relevant the document is.', example: 0.98 })
  relevance_score: number;
}

/** The documents of a request in the form of Cohere, the most relevant first. */
export class CohereRerankResponse {
  @TextField({ description: 'The id of the generation.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  id: string;

  @ObjectListField(() => CohereRerankResult, { description: 'The documents, the most relevant first.' })
  results: readonly CohereRerankResult[];

  @FreeObjectField({
    description: 'The version of the form, and the searches that are charged.',
    example: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  })
  meta: object;
}
