import { usageOf } from './usage.js';

const REPORTED = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };

/** Of 9 bytes, that is 3 tokens. */
const promptBytes = (): number => 9;

const UNTIL_CUT = { isAnswerUncounted: true };

describe('The usage that is charged', () => {
  it('is what the provider reported, however much was delivered', () => {
    expect(usageOf({ usage: REPORTED, deliveredBytes: 400 }, promptBytes)).toEqual(REPORTED);
  });

  it('is what was sent and delivered where the provider reported nothing, or only zeros', () => {
    const expected = { prompt_tokens: 3, completion_tokens: 100, total_tokens: 103 };
    const zeros = {
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
      prompt_tokens_details: { cached_tokens: 0 },
    };
    for (const usage of [null, zeros]) expect(usageOf({ usage, deliveredBytes: 400 }, promptBytes)).toEqual(expected);
  });

  it.each([
    ['what was delivered, where that is more than', 400, 100],
    ['no less than', 4, 3],
  ])(
    'is, beside the prompt that was reported, %s what was counted of an answer until it was cut',
    (_, bytes, tokens) => {
      const usage = usageOf({ usage: REPORTED, deliveredBytes: bytes, isAnswerUncounted: true }, promptBytes);
      expect(usage).toEqual({ prompt_tokens: 10, completion_tokens: tokens, total_tokens: 10 + tokens });
    },
  );

  it.each([
    ['the answer alone', { prompt_tokens: 0, completion_tokens: 7, total_tokens: 7 }, {}, [3, 7]],
    ['the cache alone of a prompt', { prompt_tokens: 90, completion_tokens: 7, total_tokens: 97 }, {}, [90, 7]],
    ['nothing to its end', { prompt_tokens: 0, completion_tokens: 1, total_tokens: 1 }, UNTIL_CUT, [3, 100]],
    ['a total alone', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 203 }, UNTIL_CUT, [3, 200]],
    [
      'a total alone, of less than came',
      { prompt_tokens: 0, completion_tokens: 0, total_tokens: 2 },
      UNTIL_CUT,
      [2, 100],
    ],
  ])('is of both parts where a provider has counted %s', (_, usage, uncounted, [prompt, completion]) => {
    const reported = { usage, deliveredBytes: 400, isPromptUncounted: true, ...uncounted };
    expect(usageOf(reported, promptBytes)).toEqual({
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt! + completion!,
    });
  });
});
