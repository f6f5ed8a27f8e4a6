import fc from 'fast-check';
import { RE2JS, RE2JSException } from 're2js';
import { measurePattern } from './pattern-size.js';

const DEPTH = 100;

/** The instructions of the compiled program; undefined for a pattern that the engine refuses. */
function compiledInstructions(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize();
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}

const characters = fc.constantFrom(...'abkK\u017f\u00e9\u{1f512}019-]}/:# ');
const escapes = fc.constantFrom(
  ...['\\d', '\\W', '\\s', '\\b', '\\B', '\\A', '\\z', '\\pL', '\\PN', '\\p{Greek}', '\\P{^Lu}', '\\.', '\\\\'],
  ...['\\x41', '\\x{1F512}', '\\101', '\\0', '\\n', '\\Q(a*|\\E', '\\Qab\\E', '\\Q\\E', '\\]', '\\(', '\\{'],
);
const classes = fc.constantFrom(
  ...['[a]', '[^a]', '[]a]', '[^]a]', '[a-z]', '[[:alpha:]]', '[[:^word:]x]', '[\\d\\-x]', '[\\pL\\]]', '[a\\]b(]'],
  ...[
    '[^\\x00-\\x{10FFFF}]',
    '[\\x00-\\x{10FFFF}]',
    '[(|*]',
    '[{2}]',
    '[a-]',
    '[-a]',
    '[[]',
    '[\\x{41}-\\x5a]',
    '[kK]',
  ],
);
const quantifiers = fc.oneof(
  fc.constantFrom('', '', '', '*', '+', '?', '*?', '+?', '??', '{0}', '{1}', '{0,1}', '{1,}', '{0,}', '{,2}', '{01}'),
  fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 9 })).map(([least, more]) => `{${least},${least + more}}`),
  fc.nat({ max: 12 }).map((count) => `{${count},}?`),
  fc.nat({ max: 12 }).map((count) => `{${count}}`),
);
const openings = fc.constantFrom('(', '(', '(?:', '(?i:', '(?-i:', '(?is-mU:', '(?P<name>', '(?<other>');
const flags = fc.constantFrom('(?i)', '(?-i)', '(?m)', '(?s)', '(?U)');

/** Patterns of which most are valid. */
const { pattern: grown } = fc.letrec<{ pattern: string; alternative: string; part: string }>((tie) => ({
  pattern: fc.array(tie('alternative'), { minLength: 1, maxLength: 4 }).map((all) => all.join('|')),
  alternative: fc.array(tie('part'), { maxLength: 5 }).map((all) => all.join('')),
  part: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc
      .tuple(fc.oneof(characters, escapes, classes, fc.constantFrom('.', '^', '$')), quantifiers)
      .map((all) => all.join('')),
    flags,
    fc.tuple(openings, tie('pattern'), fc.constant(')'), quantifiers).map((all) => all.join('')),
  ),
}));

/** Pieces of syntax in any order, of which many are invalid. */
const scrambled = fc
  .array(
    fc.oneof(characters, escapes, classes, quantifiers, openings, flags, fc.constantFrom(...'()[]{}|*+?^$\\.-:,')),
    { maxLength: 25 },
  )
  .map((all) => all.join(''));

describe('measurePattern', () => {
  it('counts at least as many instructions as the engine compiles, for any valid pattern', () => {
    let compiled = 0;
    fc.assert(
      fc.property(fc.oneof(grown, scrambled), (pattern) => {
        const instructions = compiledInstructions(pattern);
        if (instructions === undefined) return;
        compiled += 1;
        expect(measurePattern(pattern, DEPTH).instructions).toBeGreaterThanOrEqual(instructions);
      }),
      { numRuns: 2_000 },
    );
    expect(compiled).toBeGreaterThan(200);
  });

  it.each([
    'PROJECT-[0-9]{4}',
    '(x){0,999}',
    'x{0,1000}',
    '(){0,999}',
    '(?:ab|cd)+e?',
    '((a{2,3}){4}){5}',
    '(?P<year>\\d{4})-(?<month>\\d\\d)',
    '[]a-z\\]]{3}\\x{41}{2}\\Q{9}\\E',
    '(?i:k{2})k{3}(?-i)\\pL{4}',
    'a{,9}b{01}{c}',
  ])('counts exactly the instructions of %s', (pattern) => {
    expect(measurePattern(pattern, DEPTH).instructions).toBe(RE2JS.compile(pattern).programSize());
  });

  it('counts ten characters of plain text, and of alternatives of plain text, as one instruction', () => {
    expect(measurePattern('x'.repeat(100_000), DEPTH).size).toBe(10_003);
    expect(measurePattern('word|'.repeat(19_999) + 'word', DEPTH).size).toBe(10_002);
    expect(measurePattern('\u{1f512}'.repeat(1_000), DEPTH).size).toBe(103);
  });

  it('counts repeated text like the same text written out', () => {
    expect(measurePattern('(?:word){100}', DEPTH).size).toBeGreaterThan(400);
  });

  it.each([
    ['a', 0],
    ['(a)(b)', 1],
    ['(?:a(?i:b)(?P<x>c))', 2],
    ['((((a', 4],
    ['(?i)a', 0],
    ['[((((]\\(\\Q((((\\E', 0],
  ])('finds the depth of the groups in %s', (pattern, depth) => {
    expect(measurePattern(pattern, DEPTH).depth).toBe(depth);
  });

  it('stops at the given depth', () => {
    expect(measurePattern('('.repeat(100_000), 7)).toMatchObject({ depth: 8 });
  });

  it('stays a number for deeply nested repetitions', () => {
    const { instructions, size } = measurePattern(`${'('.repeat(DEPTH)}a${'){99999999}'.repeat(DEPTH)}`, DEPTH);

    expect([instructions, size]).toEqual([999_999_999, 999_999_999]);
  });
});
