import { RE2JS } from 're2js';
import { looksAround, maximumMatchLength } from './match-length.js';

const GRIN = '\u{1f600}';

/** Patterns with a match that is as long as any can be. */
const LONGEST_MATCHES: readonly (readonly [pattern: string, longest: string])[] = [
  ['PROJECT-[0-9]{4}', 'PROJECT-1234'],
  ['a|bcd|ef', 'bcd'],
  ['x(?:a|bcd|)y', 'xbcdy'],
  ['(a{2,3}b?){2}', 'aaabaaab'],
  ['((a{2,3}){4}){5}', 'a'.repeat(60)],
  ['a?b??c{2}?', 'abcc'],
  ['a{0}b', 'b'],
  ['(?:a*){0}b', 'b'],
  ['(?i)stra(?-i)sse', 'ſTRAsse'],
  ['(?i:k){2}', '\u212a\u212a'],
  ['\\Qa.b\\E{2}', 'a.bb'],
  ['\\Q(a*\\E', '(a*'],
  [`\\Qa${GRIN}\\E{2}`, `a${GRIN}${GRIN}`],
  ['a{00}', 'a{00}'],
  ['a{1,02}', 'a{1,02}'],
  ['a{,5}', 'a{,5}'],
  ['.{3}', GRIN.repeat(3)],
  ['\\D\\d\\w\\W', `${GRIN}1a${GRIN}`],
  ['\\pS\\p{So}\\PL', GRIN.repeat(3)],
  ['[^a]', GRIN],
  ['[[:alpha:]\\d_-]{2}', 'a_'],
  ['[[:^alpha:]]', GRIN],
  [`[a-${GRIN}]`, GRIN],
  ['[\\x{41}-\\x{1F600}]', GRIN],
  ['\\x{1F600}', GRIN],
  [GRIN, GRIN],
  ['[]a]\\]\\)\\|\\*', ']])|*'],
  ['(?P<year>\\d{4})-(?<month>\\d\\d)', '2026-11'],
  ['^\\bab\\b\\z$', 'ab'],
];

describe('maximumMatchLength', () => {
  it.each(LONGEST_MATCHES)('is the length of the longest match of %s', (pattern, longest) => {
    expect(RE2JS.compile(pattern, RE2JS.LONGEST_MATCH).matches(longest)).toBe(true);
    expect(maximumMatchLength(pattern)).toBe(longest.length);
  });

  it.each(['\\x41', '\\101', '\\x{41}', '\\0', '\\12{3}'])(
    'is never too small for the numbered character %s',
    (pattern) => {
      const length = maximumMatchLength(pattern);
      expect(length).toBeGreaterThanOrEqual(pattern.includes('{3}') ? 3 : 1);
      expect(length).toBeLessThan(8);
    },
  );

  it.each([
    'a*',
    'a+?',
    'a{2,}',
    '(?:b|(?:a?c)+)d',
    '(a*){3}',
    'a\\Q\\E*',
    'a(?i)*',
    '\\Qab\\E+',
    `${'(?:'.repeat(99)}a*${')'.repeat(99)}`,
  ])('is undefined for %s, whose matches have no bound', (pattern) => {
    expect(RE2JS.compile(pattern).programSize()).toBeGreaterThan(0);
    expect(maximumMatchLength(pattern)).toBeUndefined();
  });

  it.each(['(?:)*', '^*', '(?:$|\\b)+'])('is zero for %s, which matches no character', (pattern) => {
    expect(maximumMatchLength(pattern)).toBe(0);
  });

  it('is undefined for nested repetitions beyond all numbers', () => {
    expect(maximumMatchLength(`${'('.repeat(100)}a${'){99999999}'.repeat(100)}`)).toBeUndefined();
  });

  it('is never smaller than a match of a pattern that is put together at random', () => {
    let seed = 42;
    const next = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)]!;
    const patternOf = (depth: number): string => {
      if (depth === 0) return pick(['a', 'b', '.', '[ab]', '[^c]', '\\w', '\\Qab\\E', '\\x61', GRIN, '\\b', '', 'ab']);
      const [one, other] = [patternOf(depth - 1), patternOf(depth - 1)];
      return pick([
        `${one}${other}`,
        `${one}|${other}`,
        `(?:${one})${pick(['?', '{2}', '{0,2}', '{1,3}?', '{0}'])}${other}`,
        `(?i)(${one}|${other})`,
      ]);
    };
    const text = Array.from({ length: 400 }, () => pick(['a', 'b', 'A', 'c', GRIN, ' '])).join('');
    let found = 0;
    for (let round = 0; round < 400; round += 1) {
      const pattern = patternOf(1 + next(4));
      const length = maximumMatchLength(pattern)!;
      const matcher = RE2JS.compile(pattern, RE2JS.LONGEST_MATCH).matcher(text);
      while (matcher.find()) {
        found += 1;
        expect(matcher.end() - matcher.start()).toBeLessThanOrEqual(length);
      }
    }
    expect(found).toBeGreaterThan(1_000);
  });
});

describe('looksAround', () => {
  it.each([
    ['\\bab', true],
    ['a$', true],
    ['(?m)^a', true],
    ['\\Aa\\z', true],
    ['[$^]\\$\\^\\Q^\\b\\E', false],
    ['a\\\\b', false],
  ])('knows whether %s depends on what is around a match', (pattern, expected) => {
    expect(looksAround(pattern)).toBe(expected);
  });
});
