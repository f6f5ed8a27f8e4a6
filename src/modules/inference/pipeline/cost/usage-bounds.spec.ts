import type { Candidate } from '../request/candidate.js';
import { chatUsageBounds, withinBounds } from './usage-bounds.js';

const candidate = (row: object = {}, reasoning: object | null = null, outputs = ['text']): Candidate =>
  ({
    model: { row: { reasoning, architecture: { output_modalities: outputs } } },
    endpoint: { row: { contextLength: 10_000, maxCompletionTokens: 4_000, supportedParameters: [], ...row } },
  }) as unknown as Candidate;

const bounds = (body: object, ...asked: Parameters<typeof candidate>): object =>
  chatUsageBounds({ messages: [], ...body }, candidate(...asked));

describe('The most tokens of a chat', () => {
  it.each([
    ['of an answer as long as the request allows', { max_tokens: 50 }, {}, null, 50],
    ['of each choice', { max_completion_tokens: 50, n: 3 }, {}, null, 150],
    ['of the longest answer of the endpoint', {}, {}, null, 4_000],
    ['of the context, where no longest answer is known', {}, { maxCompletionTokens: null }, null, 10_000],
    ['of the context at most', { max_tokens: 50_000 }, {}, null, 10_000],
    ['with the reasoning that was asked for', { max_tokens: 50, reasoning: { max_tokens: 30 } }, {}, {}, 80],
    [
      'with as much reasoning as the longest answer',
      { max_tokens: 50 },
      { supportedParameters: ['reasoning'] },
      null,
      4_050,
    ],
    ['with images or audio, however long the text', { max_tokens: 50, modalities: ['text', 'image'] }, {}, null, 4_000],
  ])('are those %s', (_, body, row, reasoning, completion) => {
    expect(bounds(body, row, reasoning)).toEqual({ prompt: 10_000, completion });
  });
});

describe('A usage', () => {
  const most = { prompt: 100, completion: 50 };

  it('within its bounds is the same', () => {
    const usage = { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 };
    expect(withinBounds(usage, most)).toBe(usage);
  });

  it('beyond them is cut down, also its parts', () => {
    const usage = {
      prompt_tokens: 1_000,
      completion_tokens: 900,
      total_tokens: 1_900,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 300, audio_tokens: 200 },
      completion_tokens_details: { reasoning_tokens: 800, audio_tokens: null },
    };
    expect(withinBounds(usage, most)).toEqual({
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 40, audio_tokens: 100 },
      completion_tokens_details: { reasoning_tokens: 50, audio_tokens: null },
    });
  });
});
