import { EnumField, NumberField, TextField } from '../../../http/schema/fields.js';

const BILLABLES = ['output_image', 'input_image', 'input_font', 'input_reference', 'input_text'] as const;

const UNITS = ['image', 'megapixel', 'token'] as const;

/** A price of an image endpoint. */
export class ImagePrice {
  @EnumField(BILLABLES, { description: 'What is charged for.', example: 'output_image' })
  billable: (typeof BILLABLES)[number];

  @EnumField(UNITS, { description: 'In what unit.', example: 'image' })
  unit: (typeof UNITS)[number];

  @NumberField({ description: 'US dollars per unit.', example: 0.04, minimum: 0 })
  cost_usd: number;

  @TextField({ description: 'Which of several prices.', example: '2K', optional: true })
  variant?: string;
}
