import { IntegerField } from '../../../http/validation/fields.js';

/** How many alternatives of each token a chat completion and a response show the probabilities of. */
export function TopLogprobsField(): PropertyDecorator {
  return IntegerField({
    example: 0,
    description: 'How many alternatives of each token are returned.',
    minimum: 0,
    maximum: 20,
    optional: true,
    nullable: true,
  });
}
