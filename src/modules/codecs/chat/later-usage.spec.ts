import type { TokenUsage } from './chat-completion.js';
import { withLaterUsage } from './later-usage.js';

const counts = (prompt: number, completion: number, fields: Partial<TokenUsage> = {}): TokenUsage => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  ...fields,
});

describe('What a provider has counted, after it has reported once more', () => {
  it.each([
    ['less', counts(7, 2), counts(10, 5)],
    ['the same', counts(10, 5), counts(10, 5)],
    ['zeros', counts(0, 0), counts(10, 5)],
    ['more of the answer and nothing of the prompt', counts(0, 20), counts(10, 20)],
  ])('is never less than before: after %s', (_, later, usage) => {
    expect(withLaterUsage({ usage: counts(10, 5) }, { usage: later })).toEqual({ usage });
  });

  it('keeps the largest count of each kind', () => {
    const earlier = counts(100, 9, {
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10, audio_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 8 },
    });
    const later = counts(100, 9, {
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 20, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 1 },
    });
    expect(withLaterUsage({ usage: earlier }, { usage: later }).usage).toEqual({
      ...counts(100, 9),
      prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 20, audio_tokens: 3 },
      completion_tokens_details: { reasoning_tokens: 8, audio_tokens: 1 },
    });
    expect(withLaterUsage({ usage: earlier }, { usage: counts(100, 9) }).usage).toEqual(earlier);
  });

  it('takes tokens that were first written to the cache, and then read from it, as written', () => {
    const usage = withLaterUsage(
      { usage: counts(100, 0, { prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 80 } }) },
      { usage: counts(100, 1, { prompt_tokens_details: { cached_tokens: 80, cache_write_tokens: 0 } }) },
    );
    expect(usage.usage.prompt_tokens_details).toEqual({ cached_tokens: 20, cache_write_tokens: 80 });
  });

  it('is of the prompt as soon as it was counted once, and of the answer where the last report counts it', () => {
    const answerAlone = { usage: counts(0, 7), isPromptUncounted: true };
    const promptAlone = { usage: counts(10, 0), isAnswerUncounted: true };
    expect(withLaterUsage(answerAlone, promptAlone)).toEqual({ usage: counts(10, 7), isAnswerUncounted: true });
    expect(withLaterUsage(promptAlone, answerAlone)).toEqual({ usage: counts(10, 7) });
    expect(withLaterUsage(answerAlone, answerAlone)).toEqual(answerAlone);
  });
});
