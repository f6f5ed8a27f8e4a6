import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import { withMessagesFields } from '../../../codecs/chat/messages-fields.js';
import type { Prices } from '../../../catalog/price-rules.js';
import type { CountedUnits } from './charge-lines.js';
import { type Cost, costOf } from './cost.js';
import { unitPricesOf } from './unit-prices.js';

const PRICING = { prompt: '0.000003', completion: '0.000015' };

/** Of 1,000 tokens of a prompt, some of which were read from the cache, or written to it. */
function usageOf(cached: number, written: number): TokenUsage {
  return {
    prompt_tokens: 1_000,
    completion_tokens: 10,
    total_tokens: 1_010,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
  };
}

const costAt = (usage: TokenUsage, prices: Prices, units?: CountedUnits, author = 'acme'): Cost =>
  costOf(usage, unitPricesOf(prices, author), units);

const CACHED_AUDIO = { prompt_tokens_details: { audio_tokens: 500, cached_tokens: 900 } };
const AUDIO_ANSWER = { completion_tokens_details: { audio_tokens: 10 } };
const MORE_THAN_ALL = { completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 1_000 } };

describe('costOf', () => {
  it.each([
    ['nothing without cached tokens', usageOf(0, 0), '0.00315', null],
    ['what cached tokens cost less', usageOf(900, 0), '0.00072', '0.00243'],
    ['less than nothing where writing to the cache costs more', usageOf(0, 1_000), '0.0039', '-0.00075'],
    ['both together', usageOf(500, 500), '0.002175', '0.000975'],
  ])('says what the cache has saved: %s', (_, usage, total, cacheDiscount) => {
    const pricing = { ...PRICING, input_cache_read: '0.0000003', input_cache_write: '0.00000375' };
    expect(costAt(usage, pricing)).toMatchObject({ total, cacheDiscount });
  });

  it.each([
    ['at its own price', { input_cache_write_1h: '0.000006' }, 400, '0.0048'],
    ['at that of any other writing, where it has none', {}, 400, '0.0039'],
    ['for no more tokens than were written', { input_cache_write_1h: '0.000006' }, 9_000, '0.00615'],
  ])('charges what a cache keeps for an hour %s', (_, price, tokens, total) => {
    const pricing = { ...PRICING, input_cache_write: '0.00000375', ...price };
    const cache_creation = { ephemeral_5m_input_tokens: 600, ephemeral_1h_input_tokens: tokens };
    expect(costAt(withMessagesFields(usageOf(0, 1_000), { cache_creation }), pricing)).toMatchObject({ total });
  });

  it('saves nothing where the cache has no prices of its own', () => {
    expect(costAt(usageOf(900, 100), PRICING)).toMatchObject({ total: '0.00315', cacheDiscount: '0' });
  });

  it.each([
    ['audio in the prompt', { audio: '0.00003' }, { prompt_tokens_details: { audio_tokens: 400 } }, '0.01395'],
    ['audio of which some was cached', { audio: '0.00003', input_audio_cache: '0.000001' }, CACHED_AUDIO, '0.00505'],
    ['images in the prompt', { image_token: '0.00001' }, { prompt_tokens_details: { image_tokens: 1_000 } }, '0.01015'],
    ['reasoning', { internal_reasoning: '0.00006' }, { completion_tokens_details: { reasoning_tokens: 8 } }, '0.00351'],
    ['audio in the answer', { audio_output: '0.00008' }, { completion_tokens_details: { audio_tokens: 10 } }, '0.0038'],
    ['audio in the answer, at the price of audio in the prompt', { audio: '0.00003' }, AUDIO_ANSWER, '0.0033'],
    ['no more tokens than there are', { audio_output: '0.00008' }, MORE_THAN_ALL, '0.0038'],
  ])('has a price of its own for %s', (_, prices, details, total) => {
    const usage = { prompt_tokens: 1_000, completion_tokens: 10, total_tokens: 1_010, ...details };
    expect(costAt(usage, { ...PRICING, ...prices })).toMatchObject({ total });
  });

  it('has a price for each image of the prompt and of the answer, where the endpoint lists one', () => {
    const images = { input_image: 2, image: 1 };
    expect(costAt(usageOf(0, 0), { ...PRICING, image: '0.001', image_output: '0.04' }, images)).toMatchObject({
      prompt: '0.005',
      completion: '0.04015',
    });
    expect(costAt(usageOf(0, 0), PRICING, images)).toMatchObject({ total: '0.00315' });
  });
});
