import {
  FreeObjectField,
  IntegerField,
  NumberField,
  ObjectField,
  ObjectListField,
  TextField,
} from '../../../../../http/validation/fields.js';
import { ChargedUsage } from '../../../dto/cost-details.dto.js';

/** A document and how relevant it is. */
export class RerankResult {
  @IntegerField({ description: 'The place of the document in the request, from 0.', example: 0 })
  index: number;

  @NumberField({
    description: 'How relevant the document is; what the number means is the matter of the model.',
    example: 0.98,
  })
  relevance_score: number;

  @FreeObjectField({
    description: 'The document: its `text` or its `image`.',
    example: { text: 'Parcels can be returned within 30 days.' },
  })
  document: { readonly text?: string; readonly image?: string };
}

/** What was used, and what it cost. */
export class RerankUsage extends ChargedUsage {
  @IntegerField({
    description: 'Searches, as the provider charges them: a query with up to 100 documents.',
    example: 1,
  })
  search_units: number;

  @IntegerField({ description: 'Tokens of the query and the documents.', example: 24 })
  total_tokens: number;
}

/** The documents of a request, the most relevant first. */
export class RerankResponse {
  @TextField({ description: 'The id of the generation.', example: 'gen-1795219200-Ab3dE5gH7jK9mN1pQ3sT' })
  id: string;

  @TextField({ description: 'The model that answered.', example: 'cohere/rerank-v3.5' })
  model: string;

  @TextField({ description: 'The name of the provider that answered.', example: 'Cohere' })
  provider: string;

  @ObjectListField(() => RerankResult, { description: 'The documents, the most relevant first.' })
  results: readonly RerankResult[];

  @ObjectField(() => RerankUsage, { description: 'What was used, and what it cost.' })
  usage: RerankUsage;
}
