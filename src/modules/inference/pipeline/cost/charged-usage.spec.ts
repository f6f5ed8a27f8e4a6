import { type DeliveredTokens, NOTHING_DELIVERED } from '../answer/delivered-answer.js';
import { usageOf } from './charged-usage.js';

const REPORTED = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };

const promptTokens = (): number => 3;

const delivered = (tokens: number): DeliveredTokens => ({ ...NOTHING_DELIVERED, texts: tokens });

const UNTIL_CUT = { isAnswerUncounted: true };

describe('The usage that is charged', () => {
  it('is what the provider reported, however much was delivered', () => {
    expect(usageOf({ usage: REPORTED, delivered: delivered(100) }, promptTokens)).toEqual(REPORTED);
  });

  it('is what was sent and delivered where the provider reported nothing, or only zeros', () => {
    const expected = { prompt_tokens: 3, completion_tokens: 100, total_tokens: 103 };
    const zeros = {
      prompt_tokens: 0,
      completion_tokens: 0,
      total_tokens: 0,
      prompt_tokens_details: { cached_tokens: 0 },
    };
    for (const usage of [null, zeros])
      expect(usageOf({ usage, delivered: delivered(100) }, promptTokens)).toEqual(expected);
  });

  it('is an estimate of what was counted as zero: no prompt is empty, and no answer in which something came', () => {
    const usage = { prompt_tokens: 0, completion_tokens: 3, total_tokens: 3 };
    expect(usageOf({ usage, delivered: delivered(100) }, promptTokens)).toMatchObject({
      prompt_tokens: 3,
      completion_tokens: 3,
    });
    const ofPrompt = { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 };
    expect(usageOf({ usage: ofPrompt, delivered: delivered(100) }, promptTokens)).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 100,
    });
    expect(usageOf({ usage: ofPrompt, delivered: delivered(0) }, promptTokens)).toEqual(ofPrompt);
  });

  it.each([
    ['what was delivered, where that is more than', 100, 100],
    ['no less than', 1, 3],
  ])(
    'is, beside the prompt that was reported, %s what was counted of an answer until it was cut',
    (_, came, tokens) => {
      const usage = usageOf({ usage: REPORTED, delivered: delivered(came), isAnswerUncounted: true }, promptTokens);
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
    const reported = { usage, delivered: delivered(100), isPromptUncounted: true, ...uncounted };
    expect(usageOf(reported, promptTokens)).toEqual({
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt! + completion!,
    });
  });

  it('says of which kind the tokens are that no provider has counted, beside those of texts', () => {
    const parts = { texts: 4, audio: 20, images: 2_048 };
    expect(usageOf({ usage: null, delivered: parts, hiddenTokens: 300 }, promptTokens)).toEqual({
      prompt_tokens: 3,
      completion_tokens: 2_372,
      total_tokens: 2_375,
      completion_tokens_details: { reasoning_tokens: 300, audio_tokens: 20, image_tokens: 2_048 },
    });
  });
});
