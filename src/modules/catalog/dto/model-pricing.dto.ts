import { NumberField, ObjectListField, TextField, TextListField } from '../../../http/validation/fields.js';
import { AdditionalProperties } from '../../../http/validation/dto-fields.js';

function Price(description: string): PropertyDecorator {
  return TextField({ description, example: '0.00000125', optional: true });
}

/** The days of the week, from that with the number 0 of `Date.prototype.getUTCDay`. */
export const UTC_DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

/** Prices that replace those of the list for requests to which all of its conditions apply; of two such overrides, the later one counts. */
@AdditionalProperties()
export class PricingOverride {
  @NumberField({
    description: 'The prices apply to prompts of more tokens than this.',
    example: 200000,
    optional: true,
  })
  min_prompt_tokens?: number;

  @NumberField({
    description: 'The prices apply to requests that come from this time of day (UTC) on: 1630 is 16:30.',
    example: 1630,
    optional: true,
  })
  utc_start?: number;

  @NumberField({
    description:
      'The prices apply to requests that come before this time of day (UTC), perhaps of the next day: 30 is 00:30.',
    example: 30,
    optional: true,
  })
  utc_end?: number;

  @TextListField({
    description: 'The prices apply to requests that come on these days of the week (UTC); without it, on every day.',
    example: ['saturday', 'sunday'],
    optional: true,
  })
  utc_days?: string[];

  @Price('A prompt token.')
  prompt?: string;

  @Price('A completion token.')
  completion?: string;

  @Price('A token of audio.')
  audio?: string;

  @Price('A token of audio read from the cache.')
  input_audio_cache?: string;

  @Price('A token read from the cache.')
  input_cache_read?: string;

  @Price('A token written to the cache.')
  input_cache_write?: string;

  @Price('A token written to the cache for an hour.')
  input_cache_write_1h?: string;
}

/** Prices in US dollars per unit, as decimal strings; a price that is left out does not apply. */
@AdditionalProperties()
export class ModelPricing {
  @TextField({ description: 'The price of a prompt token; -1 if it varies.', example: '0.00000125' })
  prompt: string;

  @TextField({ description: 'The price of a completion token; -1 if it varies.', example: '0.00001' })
  completion: string;

  @Price('A request.')
  request?: string;

  @Price('An input image.')
  image?: string;

  @Price('A token of an input image.')
  image_token?: string;

  @Price('An output image.')
  image_output?: string;

  @Price('A token of an output image.')
  image_output_token?: string;

  @Price('A token of input audio.')
  audio?: string;

  @Price('A token of output audio.')
  audio_output?: string;

  @Price('A token of audio read from the cache.')
  input_audio_cache?: string;

  @Price('A character of a text that is spoken.')
  character?: string;

  @Price('A second of a recording that is transcribed.')
  second?: string;

  @Price('A web search.')
  web_search?: string;

  @Price('A token of reasoning.')
  internal_reasoning?: string;

  @Price('A token read from the cache.')
  input_cache_read?: string;

  @Price('A token written to the cache.')
  input_cache_write?: string;

  @Price('A token written to the cache for an hour.')
  input_cache_write_1h?: string;

  @NumberField({ description: 'The discount, as a share of the price.', example: 0.5, optional: true })
  discount?: number;

  @ObjectListField(() => PricingOverride, { description: 'Prices that apply under a condition.', optional: true })
  overrides?: readonly PricingOverride[];
}
