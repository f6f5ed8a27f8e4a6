import { asKind, FILTERS, FiltersOfTests, halves, KINDS, paragraphs, piecesOf } from './answer-inspection.fixture.js';

/** Of so many examples one is cut everywhere. */
const CUT_STEP = 60;

describe('AnswerInspection, of every example', () => {
  const filtersOfTests = new FiltersOfTests();

  afterAll(() => filtersOfTests.stop());

  it.each(KINDS)('lets out of a %s what filters make of the whole, in pieces of any size', async (kind) => {
    const mistakes: string[] = [];
    for (const paragraph of paragraphs(1)) {
      const text = asKind(paragraph, kind);
      const made = await filtersOfTests.whole(FILTERS, text, kind);
      for (const size of [1, 7, 50]) {
        const left = await filtersOfTests.streamed(FILTERS, piecesOf(text, size), kind);
        if (left !== made) mistakes.push(`${size}: ${text}`);
      }
    }
    expect(mistakes).toEqual([]);
  });

  it.each(KINDS)('lets out of a %s what filters make of the whole, cut anywhere', async (kind) => {
    const mistakes: string[] = [];
    for (const paragraph of paragraphs(CUT_STEP)) {
      const text = asKind(paragraph, kind);
      const made = await filtersOfTests.whole(FILTERS, text, kind);
      for (const [first, second] of halves(text)) {
        const left = await filtersOfTests.streamed(FILTERS, [first!, second!], kind);
        if (left !== made) mistakes.push(`${first!.length}: ${text}`);
      }
    }
    expect(mistakes).toEqual([]);
  });
});
