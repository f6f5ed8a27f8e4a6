import fc from 'fast-check';
import { DATA_REGIONS, type DataRegion } from '../../../config/data-region.js';
import { FILTER_ACTIONS } from '../../content/content-filters.js';
import { BUILTIN_FILTER_SLUGS, SCAN_SCOPES } from '../content-filters/stored-filters.js';
import { RESET_INTERVALS } from '../dto/guardrail.dto.js';
import { combine, type EffectivePolicy, namesModel, type Policy, policyVersionOf } from './effective-policy.js';
import type { KnownModel } from './permitted-models.js';
import { SILENT, permits } from './policy.fixture.js';

const MODELS = ['alpha/one', 'alpha/one:free', 'alpha/one:nitro', 'beta/two', 'xai/three', 'other/four:free'];

const PROVIDERS = ['east', 'west', 'north'];

const TOOLS = ['docs/*', 'docs/read', 'docs/write', 'mail/*', 'mail/send'];

/** Policies that speak about the same few things, so that they meet. */
const policies: fc.Arbitrary<Policy> = fc.record({
  id: fc.uuid(),
  name: fc.constant('A guardrail'),
  enforcement: fc.constant('enforce'),
  allowedModels: listOf(MODELS),
  ignoredModels: listOf(MODELS),
  allowedProviders: listOf(PROVIDERS),
  ignoredProviders: listOf(PROVIDERS),
  allowedDataRegions: listOf<DataRegion>(DATA_REGIONS),
  enforceZdrVendorA: switches(),
  enforceZdrVendorB: switches(),
  enforceZdrVendorC: switches(),
  enforceZdrVendorD: switches(),
  enforceZdrOther: switches(),
  enableFreeModelPublication: switches(),
  enableFreeModelTraining: switches(),
  enablePaidModelTraining: switches(),
  limitUsd: fc.constantFrom(null, 0, 5, 100),
  resetInterval: fc.constantFrom(...RESET_INTERVALS),
  includeByokInBudgets: fc.boolean(),
  inspectorIds: listOf(['inspector-1', 'inspector-2', 'inspector-3']),
  allowedMcpTools: listOf(TOOLS),
  ignoredMcpTools: listOf(TOOLS),
  mcpArgumentRules: fc.option(
    fc.array(fc.record({ tool: fc.constantFrom(...TOOLS), schema: fc.constant({}) }), { maxLength: 3 }),
  ),
  contentFilterBuiltins: fc.option(
    fc.uniqueArray(
      fc.record({ slug: fc.constantFrom(...BUILTIN_FILTER_SLUGS), action: fc.constantFrom(...FILTER_ACTIONS) }),
      { selector: ({ slug }) => slug },
    ),
  ),
  contentFilters: fc.option(
    fc.array(
      fc.record(
        {
          pattern: fc.constantFrom('a', 'b', 'c'),
          action: fc.constantFrom(...FILTER_ACTIONS),
          label: fc.constantFrom(null, '[A]', '[B]'),
        },
        { requiredKeys: ['pattern', 'action'] },
      ),
      { maxLength: 4 },
    ),
  ),
});

function listOf<T extends string>(values: readonly T[]): fc.Arbitrary<T[] | null> {
  return fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 4 }));
}

function switches(): fc.Arbitrary<boolean | null> {
  return fc.constantFrom(null, true, false);
}

const models: fc.Arbitrary<KnownModel> = fc.constantFrom(...MODELS).chain((id) =>
  fc.record({
    id: fc.constant(id),
    canonicalSlug: fc.constant(id.split(':')[0]!),
    author: fc.constant(id.split('/')[0]!),
    endpoints: fc.array(
      fc.record({
        provider: fc.constantFrom(...PROVIDERS),
        isFree: fc.boolean(),
        isZdr: fc.boolean(),
        trainsOnRequests: fc.constantFrom(null, true, false),
        publishesPrompts: fc.constantFrom(null, true, false),
      }),
      { maxLength: 3 },
    ),
  }),
);

const distinct = fc.uniqueArray(policies, { selector: ({ id }) => id, maxLength: 5 });

describe('combining guardrails', () => {
  const together = (...given: Partial<Policy>[]): EffectivePolicy =>
    combine(given.map((policy, index) => ({ ...SILENT, id: `g${index + 1}`, ...policy })));

  it('unites inspectors, each once with the guardrails that name it', () => {
    expect(together({ inspectorIds: ['two', 'one'] }, { inspectorIds: ['two'] }, {}).inspectors).toEqual([
      { id: 'one', guardrailIds: ['g1'] },
      { id: 'two', guardrailIds: ['g1', 'g2'] },
    ]);
  });

  it('restricts nothing for no guardrails, and for guardrails without rules', () => {
    const nothing = { value: null, guardrailIds: [] };
    for (const policy of [combine([]), combine([SILENT]), together({}, {})]) {
      const { contentFilterBuiltins, contentFilters, inspectors, mcpArgumentRules, budgets, ...rules } = policy;
      const lists = [contentFilterBuiltins, contentFilters, inspectors, mcpArgumentRules, budgets];
      expect(lists).toEqual(lists.map(() => []));
      expect(Object.values(rules)).toEqual(Object.values(rules).map(() => nothing));
    }
  });

  it('gives the same result in any order and with repeated guardrails', () => {
    fc.assert(
      fc.property(
        distinct.chain((given) =>
          fc.tuple(fc.constant(given), fc.shuffledSubarray([...given, ...given], { minLength: given.length * 2 })),
        ),
        ([given, shuffled]) => {
          expect(combine(shuffled)).toEqual(combine(given));
        },
      ),
    );
  });

  it('never allows more with an additional guardrail', () => {
    fc.assert(
      fc.property(distinct, policies, models, (given, added, model) => {
        const [before, after] = [combine(given), combine([...given, added])];
        if (permits(after, model)) expect(permits(before, model)).toBe(true);
        for (const { slug, action } of before.contentFilterBuiltins) {
          const stricter = after.contentFilterBuiltins.find((filter) => filter.slug === slug)!;
          expect(strictness(stricter.action)).toBeGreaterThanOrEqual(strictness(action));
        }
        for (const { pattern, action } of before.contentFilters) {
          const stricter = after.contentFilters.find((filter) => filter.pattern === pattern)!;
          expect(strictness(stricter.action)).toBeGreaterThanOrEqual(strictness(action));
        }
        const isAllowed = (policy: EffectivePolicy, region: string): boolean =>
          policy.allowedDataRegions.value?.includes(region) ?? true;
        for (const region of DATA_REGIONS) if (isAllowed(after, region)) expect(isAllowed(before, region)).toBe(true);
        expect(after.budgets).toEqual(expect.arrayContaining([...before.budgets]));
      }),
      { numRuns: 2_000 },
    );
  });

  it('permits what every single guardrail permits, and no model that one of them ignores', () => {
    fc.assert(
      fc.property(distinct, models, (given, model) => {
        if (permits(combine(given), model)) {
          expect(given.every((policy) => permits(combine([policy]), model))).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('returns the rules of a single guardrail', () => {
    const policy = together({
      allowedProviders: ['west', 'east'],
      enforceZdrVendorB: false,
      limitUsd: 5,
      resetInterval: 'daily',
    });

    expect(policy.allowedProviders).toEqual({ value: ['east', 'west'], guardrailIds: ['g1'] });
    expect(policy.enforceZdrVendorB).toEqual({ value: false, guardrailIds: ['g1'] });
    expect(policy.budgets).toEqual([
      { guardrailId: 'g1', limitUsd: 5, resetInterval: 'daily', includeByokInBudgets: false },
    ]);
  });

  it.each(['allowedModels', 'allowedProviders', 'allowedDataRegions'] as const)('intersects %s', (list) => {
    const rule = (...lists: (string[] | null)[]): unknown =>
      together(...lists.map((value) => ({ [list]: value })))[list];

    expect(rule(['a/x', 'a/y'], null, ['a/y', 'a/z'])).toEqual({ value: ['a/y'], guardrailIds: ['g1', 'g3'] });
    // Nothing is allowed, which is not the same as everything.
    expect(rule(['a/x'], ['a/y'])).toEqual({ value: [], guardrailIds: ['g1', 'g2'] });
    expect(rule(null, null)).toEqual({ value: null, guardrailIds: [] });
  });

  it('counts a model without a variant as all its variants', () => {
    const rule = together({ allowedModels: ['a/x', 'a/y:free'] }, { allowedModels: ['a/x:free', 'a/y'] }).allowedModels;

    expect(rule.value).toEqual(['a/x:free', 'a/y:free']);
    expect(together({ allowedModels: ['a/x:free'] }, { allowedModels: ['a/x:nitro'] }).allowedModels.value).toEqual([]);
    const names = (entry: string, reference: string): boolean => namesModel(new Set([entry]), reference);
    expect([names('a/x', 'a/x:free'), names('a/x:free', 'a/x'), names('a/x', 'a/xy')]).toEqual([true, false, false]);
  });

  it.each(['ignoredModels', 'ignoredProviders'] as const)('unites %s', (list) => {
    const policy = together({ [list]: ['b', 'a'] }, {}, { [list]: ['c', 'b'] });

    expect(policy[list]).toEqual({ value: ['a', 'b', 'c'], guardrailIds: ['g1', 'g3'] });
  });

  it.each([
    [[true, false, null], { value: true, guardrailIds: ['g1'] }],
    [[false, null, false], { value: false, guardrailIds: ['g1', 'g3'] }],
    [[null], { value: null, guardrailIds: [] }],
  ])('enforces zero data retention when any guardrail does: %j', (values, rule) => {
    for (const name of ['enforceZdrVendorA', 'enforceZdrOther'] as const) {
      expect(together(...values.map((value) => ({ [name]: value })))[name]).toEqual(rule);
    }
  });

  it.each([
    [[true, false, null, false], { value: false, guardrailIds: ['g2', 'g4'] }],
    [[true, null], { value: true, guardrailIds: ['g1'] }],
    [[null], { value: null, guardrailIds: [] }],
  ])('allows publication and training when no guardrail forbids it: %j', (values, rule) => {
    for (const name of ['enableFreeModelPublication', 'enableFreeModelTraining', 'enablePaidModelTraining'] as const) {
      expect(together(...values.map((value) => ({ [name]: value })))[name]).toEqual(rule);
    }
  });

  it('unites builtin filters, with the strictest action and the widest scope of each', () => {
    const { contentFilterBuiltins } = together(
      {
        contentFilterBuiltins: [
          { slug: 'regex-prompt-injection', action: 'block', scan_scope: 'user_only' },
          { slug: 'email', action: 'flag' },
        ],
      },
      { contentFilterBuiltins: [{ slug: 'email', action: 'redact' }] },
      { contentFilterBuiltins: [{ slug: 'regex-prompt-injection', action: 'flag', scan_scope: 'all_messages' }] },
    );

    expect(contentFilterBuiltins).toEqual([
      { slug: 'email', action: 'redact', guardrailIds: ['g1', 'g2'] },
      { slug: 'regex-prompt-injection', action: 'block', scan_scope: 'all_messages', guardrailIds: ['g1', 'g3'] },
    ]);
    expect(SCAN_SCOPES).toHaveLength(2);
  });

  it('unites custom filters, with the label of the strictest action', () => {
    const { contentFilters } = together(
      { contentFilters: [{ pattern: 'x', action: 'redact', label: '[MILD]' }] },
      {
        contentFilters: [
          { pattern: 'x', action: 'block', label: '[STRICT]' },
          { pattern: 'a', action: 'flag' },
        ],
      },
    );

    expect(contentFilters).toEqual([
      { pattern: 'a', action: 'flag', label: null, guardrailIds: ['g2'] },
      { pattern: 'x', action: 'block', label: '[STRICT]', guardrailIds: ['g1', 'g2'] },
    ]);
  });

  it('unites filters in each place, and the places that come to the same', () => {
    const { contentFilterBuiltins, contentFilters } = together(
      {
        contentFilterBuiltins: [{ slug: 'email', action: 'flag', applies_to: ['request', 'response', 'tool_result'] }],
        contentFilters: [{ pattern: 'x', action: 'redact', label: '[MILD]', applies_to: ['response', 'tool_call'] }],
      },
      {
        contentFilterBuiltins: [{ slug: 'email', action: 'redact' }],
        contentFilters: [{ pattern: 'x', action: 'block', label: '[STRICT]', applies_to: ['tool_call'] }],
      },
      { contentFilterBuiltins: [{ slug: 'email', action: 'block', applies_to: ['tool_call', 'tool_result'] }] },
    );

    expect(contentFilterBuiltins).toEqual([
      { slug: 'email', action: 'redact', applies_to: ['request'], guardrailIds: ['g1', 'g2'] },
      { slug: 'email', action: 'flag', applies_to: ['response'], guardrailIds: ['g1'] },
      { slug: 'email', action: 'block', applies_to: ['tool_call'], guardrailIds: ['g3'] },
      { slug: 'email', action: 'block', applies_to: ['tool_result'], guardrailIds: ['g1', 'g2', 'g3'] },
    ]);
    expect(contentFilters).toEqual([
      { pattern: 'x', action: 'redact', label: '[MILD]', applies_to: ['response'], guardrailIds: ['g1'] },
      { pattern: 'x', action: 'block', label: '[STRICT]', applies_to: ['tool_call'], guardrailIds: ['g1', 'g2'] },
    ]);
  });

  it('gives a filter the widest scope of each place', () => {
    const injection = { slug: 'regex-prompt-injection', action: 'block' } as const;
    const { contentFilterBuiltins } = together(
      { contentFilterBuiltins: [{ ...injection, scan_scope: 'user_only' }] },
      { contentFilterBuiltins: [{ ...injection, scan_scope: 'all_messages', applies_to: ['tool_result'] }] },
    );

    expect(contentFilterBuiltins).toEqual([
      { ...injection, scan_scope: 'user_only', applies_to: ['request'], guardrailIds: ['g1'] },
      { ...injection, scan_scope: 'all_messages', applies_to: ['tool_result'], guardrailIds: ['g1', 'g2'] },
    ]);
  });

  it('keeps every budget', () => {
    const { budgets } = together(
      { limitUsd: 5, resetInterval: 'daily' },
      { limitUsd: 5, resetInterval: 'daily', includeByokInBudgets: true },
      {},
    );

    expect(budgets).toEqual([
      { guardrailId: 'g1', limitUsd: 5, resetInterval: 'daily', includeByokInBudgets: false },
      { guardrailId: 'g2', limitUsd: 5, resetInterval: 'daily', includeByokInBudgets: true },
    ]);
  });
});

describe('policyVersionOf', () => {
  const [one, other] = [
    { id: '019aa3f0-0000-7000-8000-000000000001', version: '700' },
    { id: '019aa3f0-0000-7000-8000-000000000002', version: '650' },
  ];

  it('is the same for the same guardrails, in any order and for any number of reasons', () => {
    expect(policyVersionOf([other, one, other])).toBe(policyVersionOf([one, other]));
  });

  it('differs when a guardrail was written again, and when another one applies', () => {
    const versions = [[], [one], [other], [one, other], [{ ...one, version: '701' }, other]].map(policyVersionOf);

    expect(new Set(versions).size).toBe(versions.length);
  });
});

function strictness(action: string): number {
  return ['flag', 'redact', 'block'].indexOf(action);
}
