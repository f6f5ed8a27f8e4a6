import { usageOf } from './usage.js';

const REPORTED = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };

/** Of 9 bytes, that is 3 tokens. */
const promptBytes = (): number => 9;

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
});
