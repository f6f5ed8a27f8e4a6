import { RE2JS } from 're2js';
import { measurePattern } from './pattern-size.js';

const DEPTH = 100;

describe('measurePattern', () => {
  it.each([
    '(x){0,999}',
    'x{0,1000}',
    '(?:ab|cd){500}',
    '((a{2,3}){4}){50}',
    '(?P<year>\\d{400})',
    '\\pL{990}',
    '(a*b+c?){90}',
  ])('counts at least as many instructions as the engine compiles for %s, and not many more', (pattern) => {
    const instructions = RE2JS.compile(pattern).programSize();
    const { size } = measurePattern(pattern, DEPTH);

    expect(size).toBeGreaterThanOrEqual(instructions * 0.9);
    expect(size).toBeLessThanOrEqual(instructions * 1.3 + 200);
  });

  it('counts ten characters of plain text, and of alternatives of plain text, as one instruction', () => {
    expect(measurePattern('x'.repeat(100_000), DEPTH).size).toBeCloseTo(10_002, -1);
    expect(measurePattern('word|'.repeat(19_999) + 'word', DEPTH).size).toBeCloseTo(10_002, -1);
    expect(measurePattern(`\\Q${'(*'.repeat(50)}\\E`, DEPTH).size).toBeCloseTo(12, -1);
  });

  it('counts repeated text like the same text written out', () => {
    expect(measurePattern('(?:word){100}', DEPTH).size).toBeGreaterThanOrEqual(400);
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
    const { size } = measurePattern(`${'('.repeat(DEPTH)}a${'){99999999}'.repeat(DEPTH)}`, DEPTH);

    expect(size).toBe(999_999_999);
  });
});
