import { countedUsageOf } from './usage.js';

describe('The usage of an answer of Gemini', () => {
  it.each([
    ['without a total', {}],
    ['with one', { totalTokenCount: 22 }],
    ['with one that leaves them out', { totalTokenCount: 15 }],
  ])('counts thoughts as a part of the answer, %s', (_, total) => {
    const counts = { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 7, ...total };
    expect(countedUsageOf(counts, true)?.usage).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 12,
      total_tokens: 22,
      completion_tokens_details: { reasoning_tokens: 7 },
    });
  });
});
