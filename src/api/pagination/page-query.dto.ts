import { IntegerField } from '../validation/fields.js';

/** The requested page of a list (docs/interface/conventions.md#pagination). */
export class PageQuery {
  @IntegerField({
    description: 'The number of items to skip.',
    example: 0,
    minimum: 0,
    optional: true,
    default: 0,
  })
  offset?: number;

  @IntegerField({
    description: 'The maximum number of items to return.',
    example: 50,
    minimum: 1,
    maximum: 100,
    optional: true,
    default: 50,
  })
  limit?: number;
}
