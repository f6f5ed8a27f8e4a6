import type { ModelPricing } from '../../../catalog/model-facts.js';
import { largerOf, textOfUnits, unitsOf } from '../../../spend/decimal-amount.js';
import { costAt } from '../../../spend/worst-case.js';
import { costOf } from '../cost/cost.js';
import { unitPricesOf } from '../cost/unit-prices.js';
import type { Candidate } from '../request/candidate.js';
import { candidatePricesOf } from './candidate-price.js';
import type { RequestSize } from '../request/request-size.js';

const TEXT: RequestSize = { bytes: 2_000, messages: 1, answer: { namedTokens: 100 } };

const MEDIA: Partial<RequestSize> = {
  units: { input_image: 1 },
  recordings: 1,
  answer: { namedTokens: 100, hasAudio: true, hasImages: true },
};

const ALL_PRICES: ModelPricing = {
  prompt: '0.000001',
  completion: '0.000002',
  request: '0.0001',
  image: '0.003',
  image_token: '0.000005',
  image_output: '0.04',
  audio: '0.00003',
  audio_output: '0.00006',
  internal_reasoning: '0.000004',
  input_cache_read: '0.0000001',
  input_cache_write: '0.00000125',
  input_cache_write_1h: '0.000002',
};

const NOON = new Date('2026-11-26T12:00:00Z');

/** What a request costs at most, in US dollars, with 1,000 tokens of texts and others that are no texts. */
function worstCase(
  size: Partial<RequestSize>,
  media: number,
  pricing = ALL_PRICES,
  { author = 'acme', outputs = ['text'] } = {},
): string {
  const model = { author, row: { architecture: { output_modalities: outputs } } };
  const candidate = {
    model,
    endpoint: { row: { pricing, contextLength: 8_192 } },
    isByok: false,
  } as unknown as Candidate;
  const prices = candidatePricesOf(candidate, { ...TEXT, ...size }, { texts: 1_000, media }, NOON);
  return textOfUnits(prices.map((price) => costAt(price, 100)).reduce(largerOf, 0n));
}

describe('the worst case of a candidate', () => {
  it.each([
    ['a text: writing to the cache, and reasoning', {}, 0, '0.00175'],
    ['a text that is to be kept for an hour', { isKeptForAnHour: true }, 0, '0.0025'],
    ['an image, at its own price and that of its tokens', { units: { input_image: 1 } }, 2_048, '0.01499'],
    ['a recording, at the price of audio', { recordings: 1 }, 2_048, '0.06319'],
    ['an answer with audio', { answer: { namedTokens: 100, hasAudio: true } }, 0, '0.00735'],
    ['an image in each answer', { answer: { namedTokens: 100, hasImages: true, choices: 2 } }, 0, '0.08215'],
  ])('is the highest price of each unit, for %s', (_, size, media, dollars) => {
    expect(worstCase(size, media)).toBe(dollars);
  });

  it('is never less than the cost of as many tokens, of whatever kind they are', () => {
    const kinds = ['cached_tokens', 'cache_write_tokens', 'audio_tokens', 'image_tokens'];
    const images = { input_image: 1, image: 1 };
    const most = unitsOf(worstCase(MEDIA, 1_000));
    for (const kind of kinds) {
      for (const said of ['reasoning_tokens', 'audio_tokens', 'image_tokens']) {
        const usage = {
          prompt_tokens: 2_000,
          completion_tokens: 100,
          total_tokens: 2_100,
          prompt_tokens_details: { [kind]: 1_000 },
          completion_tokens_details: { [said]: 100 },
        };
        expect(unitsOf(costOf(usage, unitPricesOf(ALL_PRICES, 'acme'), images).total)).toBeLessThanOrEqual(most);
      }
    }
  });

  it('is that of text where the endpoint lists no other prices', () => {
    expect(worstCase(MEDIA, 2_000, { prompt: '0.000001', completion: '0.000002' })).toBe('0.0032');
  });

  it.each([
    ['the dearer prices, for as many tokens as the prompt may have', 999, '0.01', '10.0002'],
    ['the prices of the list, where the prompt is too small for others', 1_000, '0.01', '0.0012'],
    ['those of a smaller prompt, where they cost more', 999, '0.0000001', '0.001199'],
    ['those of a part of the prompt at most', 100, '0.0000001', '0.0003'],
  ])('is by rules for the size of the prompt that of %s', (_, min_prompt_tokens, prompt, dollars) => {
    const overrides = [{ min_prompt_tokens, prompt }];
    const pricing = { prompt: '0.000001', completion: '0.000002', overrides };
    expect(worstCase({}, 0, pricing)).toBe(dollars);
  });

  it('is that of the rules of the time of the request, without the discount', () => {
    const pricing = { prompt: '0.000001', completion: '0.000002', discount: 0.5 };
    const at = (utc_start: number): ModelPricing => ({ ...pricing, overrides: [{ utc_start, prompt: '0.00001' }] });
    expect([worstCase({}, 0, at(1200)), worstCase({}, 0, at(1201))]).toEqual(['0.0051', '0.0006']);
  });
});
