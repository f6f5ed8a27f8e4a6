import type { TokenUsage } from '../../providers/chat-completion.js';
import { costOf } from './cost.js';

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

describe('costOf', () => {
  it.each([
    ['nothing without cached tokens', usageOf(0, 0), '0.00315', null],
    ['what cached tokens cost less', usageOf(900, 0), '0.00072', '0.00243'],
    ['less than nothing where writing to the cache costs more', usageOf(0, 1_000), '0.0039', '-0.00075'],
    ['both together', usageOf(500, 500), '0.002175', '0.000975'],
  ])('says what the cache has saved: %s', (_, usage, total, cacheDiscount) => {
    const pricing = { ...PRICING, input_cache_read: '0.0000003', input_cache_write: '0.00000375' };
    expect(costOf(usage, pricing)).toMatchObject({ total, cacheDiscount });
  });

  it('saves nothing where the cache has no prices of its own', () => {
    expect(costOf(usageOf(900, 100), PRICING)).toMatchObject({ total: '0.00315', cacheDiscount: '0' });
  });
});
