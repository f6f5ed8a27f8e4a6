import { NumberField, ObjectListField, TextField } from '../../../api/validation/fields.js';
import { AdditionalProperties } from '../../../api/validation/dto-fields.js';

const DECIMAL = '^-?[0-9]+(\\.[0-9]+)?([eE]-?[0-9]+)?$';

function Price(description: string): PropertyDecorator {
  return TextField({ description, example: '0.00000125', pattern: DECIMAL, optional: true });
}

/** Prices that hold under a condition. */
@AdditionalProperties()
export class PricingOverride {
  @NumberField({ description: 'The prices apply from this number of prompt tokens.', example: 200000, optional: true })
  min_prompt_tokens?: number;

  @NumberField({ description: 'The prices apply from this time of day (UTC).', example: 16.5, optional: true })
  utc_start?: number;

  @NumberField({ description: 'The prices apply until this time of day (UTC).', example: 0.5, optional: true })
  utc_end?: number;

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
  @TextField({ description: 'The price of a prompt token; -1 if it varies.', example: '0.00000125', pattern: DECIMAL })
  prompt: string;

  @TextField({ description: 'The price of a completion token; -1 if it varies.', example: '0.00001', pattern: DECIMAL })
  completion: string;

  @Price('A request.')
  request?: string;

  @Price('An input image.')
  image?: string;

  @Price('A token of an input image.')
  image_token?: string;

  @Price('An output image.')
  image_output?: string;

  @Price('A token of input audio.')
  audio?: string;

  @Price('A token of output audio.')
  audio_output?: string;

  @Price('A token of audio read from the cache.')
  input_audio_cache?: string;

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
