import { inputsOf } from '../chat/embeddings.js';
import { embeddingsOf } from './codec.js';

describe('Embeddings of a provider of OpenAI’s form', () => {
  it.each([
    ['a text', 1],
    [['one', 'two'], 2],
    [[17, 4, 9], 1],
    [[[17, 4], [9]], 2],
    [[{ content: [] }], 1],
  ])('of the input %j are %d', (input, count) => {
    expect(inputsOf(input)).toHaveLength(count);
  });

  it('are read in the order of their inputs, as numbers or as base64', () => {
    const data = [
      { object: 'embedding', index: 1, embedding: 'AACAPw==' },
      { object: 'embedding', index: 0, embedding: [0.5, 1] },
    ];
    expect(embeddingsOf({ data, usage: { prompt_tokens: 3, total_tokens: 3 } }, 2)).toEqual({
      upstreamId: null,
      data: [
        { index: 0, embedding: [0.5, 1] },
        { index: 1, embedding: 'AACAPw==' },
      ],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
  });

  it.each([
    [[0, 0, 0], 'abc'],
    [[2, 1, 3], 'bac'],
    [[0, 1, 0], 'abc'],
    [[5, 1, 0], 'abc'],
    [[undefined, undefined, undefined], 'abc'],
  ])('with the indexes %j are in the order %s', (indexes, expected) => {
    const data = indexes.map((index, at) => ({ index, embedding: 'abc'[at] }));
    const read = embeddingsOf({ data }, 3);
    expect(read.data.map(({ embedding }) => embedding).join('')).toBe(expected);
    expect(read.data.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it('without usage have none', () => {
    expect(embeddingsOf({ data: [{ embedding: [1] }] }, 1).usage).toBeNull();
  });

  it('are refused unless there is one for each input, and each is one', () => {
    for (const value of [
      {},
      null,
      { data: [] },
      { data: [{ embedding: [1] }, { embedding: [1] }] },
      { data: [{ embedding: [] }] },
      { data: [{ embedding: ['1'] }] },
      { data: [{ embedding: [1, null] }] },
      { data: [{ embedding: [1, Number.POSITIVE_INFINITY] }] },
      { data: [{}] },
    ]) {
      expect(() => embeddingsOf(value, 1)).toThrow(expect.objectContaining({ kind: 'invalid' }));
    }
  });
});
