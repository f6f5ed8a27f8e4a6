import { BooleanField, EnumField, NumberField } from '../../../http/schema/fields.js';
import { LIMIT_RESETS, type LimitReset } from '../limit-reset.js';

/** The longest name of a key, in characters. */
export const MAXIMUM_KEY_NAME_LENGTH = 256;

/** What createKeys and updateKeys take alike. */
export class KeyFields {
  @NumberField({
    description: 'The spending limit in US dollars; null for none.',
    example: 25,
    minimum: 0,
    optional: true,
    nullable: true,
  })
  limit?: number | null;

  @EnumField(LIMIT_RESETS, {
    description:
      'How often the limit starts anew: at midnight, on Monday, on the first of the month (UTC). Null for never.',
    example: 'monthly',
    optional: true,
    nullable: true,
  })
  limit_reset?: LimitReset | null;

  @BooleanField({
    description: "Count spend through the caller's own provider keys toward the limit as well.",
    example: false,
    optional: true,
  })
  include_byok_in_limit?: boolean;
}
