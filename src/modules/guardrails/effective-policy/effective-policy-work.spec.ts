import { combine, combineForModels, type Policy } from './effective-policy.js';
import { permission } from './permitted-models.js';
import { SILENT, VENDORS } from './policy.fixture.js';

describe('the work of combining guardrails', () => {
  const size = 1_000;

  /** How often the given list's items are read while something is done with a policy that has it. */
  const readsOf = (
    work: (policies: Policy[]) => unknown,
    list: 'contentFilters' | 'allowedModels',
    items: number,
  ): number => {
    let reads = 0;
    const counted = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(object, property): unknown {
          if (typeof property === 'string' && property !== 'length') reads += 1;
          const value: unknown = Reflect.get(object, property);
          return typeof value === 'object' && value !== null ? counted(value) : value;
        },
      });
    const value = (policy: number): unknown[] =>
      Array.from({ length: items }, (_, item) =>
        list === 'contentFilters' ? { pattern: `p${item}`, action: 'flag', label: `${policy}` } : `a/m${item}`,
      );
    work([1, 2, 3].map((policy) => ({ ...SILENT, id: `g${policy}`, [list]: counted(value(policy)) })));
    return reads;
  };

  it.each(['contentFilters', 'allowedModels'] as const)('grows in proportion to %s', (list) => {
    const [once, twice] = [readsOf(combine, list, size), readsOf(combine, list, 2 * size)];

    expect(once).toBeGreaterThan(size);
    expect(twice).toBeLessThan(2.1 * once);
  });

  it('excludes filters when only models are evaluated', () => {
    expect(readsOf(combineForModels, 'contentFilters', size)).toBe(0);
  });

  it('reads the lists of a policy once, for any number of models', () => {
    const reads = (asked: number): number =>
      readsOf(
        ([policy]) => {
          const value = policy!.allowedModels;
          const isLeft = permission({ ...combine([SILENT]), allowedModels: { value, guardrailIds: [] } }, VENDORS);
          for (let count = 0; count < asked; count += 1) {
            isLeft({ id: 'a/none', canonicalSlug: 'a/none', author: 'a', endpoints: [] });
          }
        },
        'allowedModels',
        size,
      );

    expect(reads(100)).toBe(reads(1));
  });
});
