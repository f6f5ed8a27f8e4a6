import { RE2JS } from 're2js';
import { OrganizationCache } from '../../../concurrency/organization-cache.js';
import { QuickTests } from './quick-tests.js';

describe('QuickTests', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('compile a pattern once for an organization, and share it with no other one', () => {
    const compile = jest.spyOn(RE2JS, 'compile');
    const tests = new QuickTests();
    const absences = ['a', 'a', 'b'].map((organizationId) => tests.isAbsent(organizationId, 'x+', 'axb'));

    expect(absences).toEqual([false, false, false]);
    expect(compile).toHaveBeenCalledTimes(2);
    expect(tests.isAbsent('a', 'x+', 'ab')).toBe(true);
  });

  it('count a pattern again when a text has added to it, and only then', () => {
    const set = jest.spyOn(OrganizationCache.prototype, 'set');
    const tests = new QuickTests();
    for (const text of ['', 'a secre', 'a secre', 'a secre']) tests.isAbsent('a', '(?i)sec?ret', text);
    const counted = set.mock.calls.map((call) => call[3]);

    expect(counted).toEqual([...new Set(counted)]);
    expect(counted.at(-1)).toBeGreaterThan(counted[0]!);
  });

  it('tell nothing of a text that is too long to test', () => {
    expect(new QuickTests().isAbsent('a', 'x', 'y'.repeat(30_000))).toBe(false);
  });
});
