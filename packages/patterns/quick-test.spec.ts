import { RE2JS } from 're2js';
import { QuickTest, STATES_BYTES } from './quick-test.js';

const DEPTH = 100;

/** Where the engine makes another state for nearly each character. */
const OF_MANY_STATES = 'a[ab]{40}[^ab]';

/** Letters a and b without any order. */
function lettersOf(length: number): string {
  let seed = 1;
  return Array.from({ length }, () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % 2 === 0 ? 'a' : 'b';
  }).join('');
}

/** What the engine counts for the states that it keeps. */
function keptStates(expression: RE2JS): number {
  const { stateBudget, memBudget } = expression.re2().dfa as unknown as { stateBudget: number; memBudget: number };
  return stateBudget - memBudget;
}

describe('QuickTest', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('tells whether a small pattern occurs in a short text', () => {
    expect(new QuickTest('b+', DEPTH).occursIn('abba')).toBe(true);
    expect(new QuickTest('c', DEPTH).occursIn('abba')).toBe(false);
  });

  it('does not tell for a large pattern or a long text', () => {
    expect(new QuickTest('x{200}', DEPTH).occursIn('b')).toBeUndefined();
    expect(new QuickTest('b', DEPTH).occursIn('b'.repeat(20_001))).toBeUndefined();
  });

  it('keeps few states of the automaton, however many a text needs', () => {
    const compiled = RE2JS.compile(OF_MANY_STATES);
    jest.spyOn(RE2JS, 'compile').mockReturnValue(compiled);
    const text = lettersOf(3_000);
    compiled.test(text);
    const needed = keptStates(compiled);
    new QuickTest(OF_MANY_STATES, DEPTH).occursIn(text);

    expect(needed).toBeGreaterThan(STATES_BYTES);
    expect(keptStates(compiled)).toBeLessThanOrEqual(STATES_BYTES);
  });

  it('weighs more with the states that it keeps', () => {
    const test = new QuickTest('(?i)sec?ret', DEPTH);
    const before = test.bytes;
    test.occursIn('What is a secre?');
    const after = test.bytes;
    test.occursIn('What is a secre?');

    expect(after).toBeGreaterThan(before);
    expect(test.bytes).toBe(after);
  });

  it('weighs more the larger its pattern is when it is compiled, and only as much as its text if it is not', () => {
    const [short, long, uncompiled] = ['a', 'a'.repeat(900), 'a{101}'].map((pattern) => new QuickTest(pattern, DEPTH));

    expect(long!.bytes).toBeGreaterThan(short!.bytes + 80_000);
    expect(uncompiled!.bytes).toBeLessThan(1_000);
  });
});
