import { detected, type Example, readExamples } from './corpus/corpus.fixture.js';
import { DRAWN_SLUGS, drawnExamples, drawnLookAlikes } from './corpus/generated-examples.fixture.js';
import { DETECTORS } from './detectors.js';

const DRAWN = 250;
const FEWEST_WRITTEN = 60;

describe.each(DRAWN_SLUGS)('the builtin filter %s', (slug) => {
  const found = readExamples(`${slug}.found`);
  const lookAlikes = readExamples(`${slug}.ignored`);

  function mistakes(examples: readonly Example[]): string[] {
    return examples
      .filter(({ text, spans }) => JSON.stringify(detected(DETECTORS[slug], text)) !== JSON.stringify(spans))
      .map(({ text }) => text);
  }

  it('finds every example, and marks exactly what it has to (recall 1.0)', () => {
    expect(found.length).toBeGreaterThanOrEqual(FEWEST_WRITTEN);
    expect(found.every(({ spans }) => spans.length > 0)).toBe(true);
    expect(mistakes([...found, ...drawnExamples(slug, DRAWN)])).toEqual([]);
  });

  it('finds nothing in what only looks like an example (precision 1.0)', () => {
    expect(lookAlikes.length).toBeGreaterThanOrEqual(FEWEST_WRITTEN);
    expect(mistakes([...lookAlikes, ...drawnLookAlikes(slug, DRAWN)])).toEqual([]);
  });
});
