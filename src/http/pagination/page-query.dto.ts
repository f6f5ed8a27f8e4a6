import { IntegerField } from '../schema/fields.js';

/** The page that a list answers (SERVICE.md, section 8). */
export class PageQuery {
  @IntegerField({
    description: 'How many items to skip.',
    example: 0,
    minimum: 0,
    optional: true,
    default: 0,
  })
  offset?: number;

  @IntegerField({
    description: 'How many items to answer at most.',
    example: 50,
    minimum: 1,
    maximum: 100,
    optional: true,
    default: 50,
  })
  limit?: number;
}
