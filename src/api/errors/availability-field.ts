import { FreeObjectField } from '../validation/fields.js';

/** The field of an error that says why no model or provider could answer (docs/interface/inference.md#availability). */
export const AvailabilityField = (): PropertyDecorator =>
  FreeObjectField({
    description: 'Where no model or provider could answer an inference request: why, in words for programs.',
    example: {
      code: 'constraint_filtered',
      retryable: false,
      requested_models: ['acme/writer'],
      docs_url: '/docs',
      excluded_by: ['max_price'],
      constraint: { field: 'max_price', detail: 'the price is too high' },
    },
    optional: true,
  });
