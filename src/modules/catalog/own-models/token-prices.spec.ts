import { fieldsOf } from '../../../http/validation/dto-fields.js';
import { ModelPricing } from '../dto/model-pricing.dto.js';
import { pricesOfTokens, TOKEN_PRICES, tokenPricesIn } from './token-prices.js';
import { FIELDS_OF_UNITS } from './charged-units.js';

describe('the prices of a model of one’s own', () => {
  it('are all that a request can be charged by', () => {
    const known = [...TOKEN_PRICES, ...FIELDS_OF_UNITS, 'prompt', 'completion'];
    const uncharged = ['web_search', 'discount', 'overrides'];
    expect([...known, ...uncharged].toSorted()).toEqual([...fieldsOf(ModelPricing).keys()].toSorted());
  });

  it('are given for a million tokens, kept for one, and shown as they were given', () => {
    const given = { input_cache_write_1h: '10', audio_output: '0.25' };
    const kept = pricesOfTokens(given);
    expect(kept).toEqual({ input_cache_write_1h: '0.00001', audio_output: '0.00000025' });
    expect(tokenPricesIn({ prompt: '0', completion: '0', image: '1', ...kept })).toEqual(given);
  });
});
