import { LongWork } from '../../../concurrency/long-work.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { type Example, exampleOf, readLines } from '../../../../packages/content-detectors/corpus/corpus.fixture.js';
import type { DRAWN_SLUGS } from '../../../../packages/content-detectors/corpus/generated-examples.fixture.js';
import { scanWith } from './detector-scan.js';
import { readingsOf } from './text-readings.js';
import { DETECTORS, type Span } from '../../../../packages/content-detectors/index.js';

type Slug = (typeof DRAWN_SLUGS)[number];

/** Each line begins with the name of a filter; characters that are not seen stand in it by their number, as `{200b}`. */
function examples(name: string): (readonly [slug: Slug, example: Example])[] {
  return readLines(name).map((line) => {
    const [, slug = '', marked = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
    const unseen = (_: string, code: string): string => String.fromCharCode(Number.parseInt(code, 16));
    return [slug as Slug, exampleOf(marked.replaceAll(/\{([\da-f]{2,4})\}/g, unseen))];
  });
}

/** What a filter finds in the readings of a text that leave its escapes out. */
async function found(slug: Slug, text: string): Promise<Span[]> {
  const work = new LongWork(new LoopTurns(), 'organization');
  const spans: Span[] = [];
  for (const reading of (await readingsOf(text, work)).slice(1)) {
    const add = (start: number, end: number): unknown => spans.push(reading.placeOf({ start, end }));
    await scanWith([{ detector: DETECTORS[slug], found: add }], reading, work);
  }
  return spans.sort((one, other) => one.start - other.start);
}

describe('builtin filters', () => {
  it.each(examples('escaped.found'))('find what escapes hide: %s in %j', async (slug, { text, spans }) => {
    expect(spans).not.toEqual([]);
    expect(await found(slug, text)).toEqual(spans);
  });

  it.each(examples('escaped.ignored'))('find nothing where escapes hide none: %s in %j', async (slug, { text }) => {
    expect(await found(slug, text)).toEqual([]);
  });
});
