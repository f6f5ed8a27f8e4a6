import { NumberField, ObjectListField, TextField } from '../../../http/schema/fields.js';
import { OpenToFurtherFields } from '../../../http/schema/schema-registry.js';

const DECIMAL = '^-?[0-9]+(\\.[0-9]+)?([eE]-?[0-9]+)?$';

function Price(description: string): PropertyDecorator {
  return TextField({ description, example: '0.00000125', pattern: DECIMAL, optional: true });
}

/** Prices that hold under a condition. */
@OpenToFurtherFields()
export class PricingOverride {
  @NumberField({ description: 'From this many prompt tokens on.', example: 200000, optional: true })
  min_prompt_tokens?: number;

  @NumberField({ description: 'From this time of day on (UTC).', example: 16.5, optional: true })
  utc_start?: number;

  @NumberField({ description: 'Until this time of day (UTC).', example: 0.5, optional: true })
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
@OpenToFurtherFields()
export class ModelPricing {
  @TextField({ description: 'A prompt token; -1 where it varies.', example: '0.00000125', pattern: DECIMAL })
  prompt: string;

  @TextField({ description: 'A completion token; -1 where it varies.', example: '0.00001', pattern: DECIMAL })
  completion: string;

  @Price('A request.')
  request?: string;

  @Price('An image that is sent.')
  image?: string;

  @Price('A token of an image that is sent.')
  image_token?: string;

  @Price('An image that is made.')
  image_output?: string;

  @Price('A token of audio that is sent.')
  audio?: string;

  @Price('A token of audio that is made.')
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

  @NumberField({ description: 'The share that is taken off.', example: 0.5, optional: true })
  discount?: number;

  @ObjectListField(() => PricingOverride, { description: 'Prices that hold under a condition.', optional: true })
  overrides?: readonly PricingOverride[];
}
