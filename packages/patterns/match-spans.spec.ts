import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { matchSpans } from './match-spans.js';

/** What the engine finds without help. */
function spansOfEngine(expression: RE2JS, text: string, maximum: number): number[] {
  const spans: number[] = [];
  const matcher = expression.matcher(text);
  while (spans.length < 2 * maximum && matcher.find()) {
    if (matcher.end() > matcher.start()) spans.push(matcher.start(), matcher.end());
  }
  return spans;
}

/** The parts of patterns in which one match hides, shortens or borders on another. */
const { pattern } = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small' },
    fc.array(tie('term'), { minLength: 1, maxLength: 4 }).map((terms) => terms.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `${one}|${other}`),
  ),
  term: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('a', 'b', 'ab', '🎉', '\\n', '.', '[^a]', '\\w', '\\d', '\\pL', '(?i:B)', '[a-c]', ' '),
    fc.constantFrom('\\b', '\\B', '^', '$', '(?m:^)', '(?m:$)', '\\A', '\\z'),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', ''))
      .map(([inner, repetition]) => `(${inner})${repetition}`),
  ),
}));

const character = fc.constantFrom('a', 'b', 'c', 'B', ' ', '\n', '1', '_', 'é', 'K', '🎉', '\ud83c', '\udf89');

const text = fc.array(character, { maxLength: 40 }).map((characters) => characters.join(''));

describe('The matches of an expression', () => {
  it('are those that the engine finds without the automaton', () => {
    fc.assert(
      fc.property(pattern, text, fc.integer({ min: 1, max: 20 }), (source, searched, maximum) => {
        const expression = RE2JS.compile(source);
        expect(matchSpans(expression, searched, maximum)).toEqual(spansOfEngine(expression, searched, maximum));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are found where many overlap and only the first may count', () => {
    const searched = `${'ab '.repeat(50)}abb${' aab'.repeat(50)}`;
    for (const source of ['a+b?', 'b( a|a)', '(a|ab)(b| )', 'a.*b', 'a.*?b', '(?:.*b)?b', '\\bab\\b.{0,7}b']) {
      const expression = RE2JS.compile(source);
      expect(matchSpans(expression, searched, 1_000)).toEqual(spansOfEngine(expression, searched, 1_000));
    }
  });

  it('are found by an expression of more states than the automaton has memory for', () => {
    const bytes = createHash('shake256', { outputLength: 60_000 }).digest();
    const searched = Array.from(bytes, (byte) => 'abc'.charAt(byte % 3)).join('');
    const expression = RE2JS.compile('a[abc]{24}a[ab]{6}');
    const expected = spansOfEngine(expression, searched, 1_000);
    expect(expected.length).toBeGreaterThan(0);
    // Twice, for the first search has filled the memory.
    for (let search = 0; search < 2; search += 1) {
      expect(matchSpans(expression, searched, 1_000)).toEqual(expected);
    }
  });
});
