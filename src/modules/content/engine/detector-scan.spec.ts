import { LongWork } from '../../../concurrency/long-work.js';
import { LoopTurns } from '../../../concurrency/loop-turns.js';
import { DETECTORS, type Detector, type Span } from '../../../../packages/content-detectors/index.js';
import { readExamples } from '../../../../packages/content-detectors/corpus/corpus.fixture.js';
import { DRAWN_SLUGS } from '../../../../packages/content-detectors/corpus/generated-examples.fixture.js';
import { scanWith } from './detector-scan.js';

/** How much of a text a detector gets at a time. */
const PART = 8_192;

/** What is found, each once: what reaches into a part may be found again from there. */
async function scanned(detector: Detector, text: string): Promise<Span[]> {
  const spans = new Map<string, Span>();
  const turn = new LongWork(new LoopTurns(), 'organization');
  const stretches = [{ start: 0, end: text.length }];
  const found = (start: number, end: number): unknown => spans.set(`${start} ${end}`, { start, end });
  await scanWith([{ detector, found }], { text, stretches: () => stretches }, turn);
  return [...spans.values()].sort((one, other) => one.start - other.start);
}

describe('a scan', () => {
  it.each(DRAWN_SLUGS)('finds what %s looks for also where the end of a part cuts it', async (slug) => {
    const detector = DETECTORS[slug];
    for (const { text, spans } of readExamples(`${slug}.found`)) {
      const { start, end } = spans[0]!;
      for (const cut of [start + 1, Math.floor((start + end) / 2), end - 1, end]) {
        const before = PART - cut;
        const expected = spans.map((span) => ({ start: before + span.start, end: before + span.end }));
        expect(await scanned(detector, '\n'.repeat(before) + text)).toEqual(expected);
      }
    }
  });

  it.each(['2001:db8:1:2:3:4:5:6789', '0:0:0:0:0:ffff:192.0.2.1', 'fe80::1ff:fe23:4567'])(
    'finds %s wherever the end of a part cuts it',
    async (address) => {
      for (let cut = 1; cut < address.length; cut += 1) {
        const start = PART - cut;
        const span = { start, end: start + address.length };
        expect(await scanned(DETECTORS['ip-address'], `${' '.repeat(start)}${address} `)).toEqual([span]);
      }
    },
  );
});
