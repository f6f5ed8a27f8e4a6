import { SeededRandom } from '../corpus/seeded-random.fixture.js';
import type { MatchHandler } from '../engine/detector.js';
import { TextPart } from '../engine/text-part.js';
import { findPhrasesIn } from './injection-phrases.js';
import { INJECTION_PATTERNS } from './injection-patterns.js';
import { findPhrasesInOtherScripts } from './other-scripts.js';
import { PHRASES_IN_OTHER_SCRIPTS } from './phrases-in-other-scripts.js';
import { SampledTexts } from './sampled-text.fixture.js';

/** How many texts of each pattern are searched, and how many are drawn at most to get them. */
const SAMPLES = 30;
const MAXIMUM_DRAWN = 2_000;

/** What some patterns must have in front of them, and behind them. */
const BEGINNINGS = [
  [
    '. ',
    '\n',
    '!',
    ' with all your ',
    ' your previous ',
    ' an existing system ',
    ' you are ',
    ' you no longer have to ',
  ],
  [
    ' your true ',
    ' if you ',
    ' the user has ',
    ' into the ',
    ' come se non ',
    " comme si tu n'",
    ' como se ',
    ' ты ',
    ' перейди в ',
    ' as if you had ',
    ' imagine the ',
    ' i am your ',
    ' ignore all ',
    ' by my ',
    ' to any ',
    ' AI: ',
    ' ~/.',
    ' what came ',
  ],
].flat();
const ENDS = [' .', '!', ' now'];

/** No phrase has a word of it, and it is longer than what a pattern looks at. */
const SURROUNDINGS = ' zz'.repeat(80);

type Search = (text: string, found: MatchHandler) => void;

describe('texts that are made from a pattern', () => {
  const random = new SeededRandom();

  /** How many of them match their pattern, and those in which the search finds nothing where the pattern matches. */
  const searched = (expression: RegExp, search: Search): { matched: number; missed: string[] } => {
    const texts = new SampledTexts(expression, random);
    const missed: string[] = [];
    let matched = 0;
    for (let drawn = 0; drawn < MAXIMUM_DRAWN && matched < SAMPLES; drawn += 1) {
      const before = `${SURROUNDINGS}${random.of(BEGINNINGS)}`;
      const text = `${before}${texts.next()}${random.of(ENDS)}${SURROUNDINGS}`;
      expression.lastIndex = before.length;
      if (!expression.test(text)) continue;
      matched += 1;
      if (!isFoundAt(before.length, text, search)) missed.push(text.slice(before.length, -SURROUNDINGS.length));
    }
    return { matched, missed };
  };

  it.each(INJECTION_PATTERNS.map((pattern, index) => ({ ...pattern, index })))(
    'are found: $index, $name, $firstWords.0',
    ({ expression }) => {
      const { matched, missed } = searched(expression, findPhrasesIn);

      expect(missed).toEqual([]);
      expect(matched).toBeGreaterThan(0);
    },
  );

  it.each(PHRASES_IN_OTHER_SCRIPTS)('are found: $name, $beginnings.0', ({ expression }) => {
    const { matched, missed } = searched(expression, (text, found) =>
      findPhrasesInOtherScripts(new TextPart(text, 0, text.length), 0, found),
    );

    expect(missed).toEqual([]);
    expect(matched).toBeGreaterThan(0);
  });
});

/** Whether something is found there. Of repeated marks it is enough that a later one is. */
function isFoundAt(position: number, text: string, search: Search): boolean {
  let isFound = false;
  search(text, (start, end) => {
    isFound ||= start <= position + 1 && end > position;
  });
  return isFound;
}
