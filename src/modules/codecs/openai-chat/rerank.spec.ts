import { rankedDocumentsOf } from './rerank.js';

const REQUEST = { model: 'm', query: 'parcel', documents: ['a', 'b', 'c'] };

describe('A ranking', () => {
  it('is read in the form of Cohere, with the searches that are charged', () => {
    const document = {
      id: 'one',
      results: [
        { index: 2, relevance_score: 0.1 },
        { index: 0, relevance_score: 0.9 },
      ],
      meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
    };
    expect(rankedDocumentsOf(document, REQUEST)).toEqual({
      upstreamId: 'one',
      results: [
        { index: 0, relevanceScore: 0.9 },
        { index: 2, relevanceScore: 0.1 },
      ],
      totalTokens: null,
      searchUnits: 1,
    });
  });

  it.each([
    ['vLLM', { results: [{ index: 1, document: { text: 'b' }, relevance_score: 1 }], usage: { total_tokens: 7 } }, 7],
    ['Voyage', { data: [{ index: 1, relevance_score: 1 }], usage: { total_tokens: 7 } }, 7],
    ['a list alone', [{ index: 1, score: 1 }], null],
  ])('is read in the form of %s', (_, document, totalTokens) => {
    expect(rankedDocumentsOf(document, REQUEST)).toMatchObject({
      results: [{ index: 1, relevanceScore: 1 }],
      totalTokens,
      searchUnits: null,
    });
  });

  it('has no more documents than were asked for', () => {
    const results = [0, 1, 2].map((index) => ({ index, relevance_score: index }));
    const { results: ranked } = rankedDocumentsOf({ results }, { ...REQUEST, top_n: 2 });
    expect(ranked.map(({ index }) => index)).toEqual([2, 1]);
  });

  it.each([
    ['nothing', {}],
    ['no result', { results: [] }],
    ['a document twice', { results: [0, 0].map((index) => ({ index, relevance_score: 1 })) }],
    ['a document that there is not', { results: [{ index: 3, relevance_score: 1 }] }],
    ['a place that is none', { results: [{ index: -1, relevance_score: 1 }] }],
    ['no score', { results: [{ index: 0 }] }],
    ['a score that is none', { results: [{ index: 0, relevance_score: '1' }] }],
    ['no object', { results: [null] }],
    ['a text', 'results'],
  ])('is invalid with %s', (_, document) => {
    expect(() => rankedDocumentsOf(document, REQUEST)).toThrow(/^The provider’s answer /);
  });
});
