import {
  BUILTIN_FILTER_SLUGS,
  type FilterAction,
  SCOPED_BUILTIN_FILTER,
  type StoredBuiltinFilter,
  type StoredCustomFilter,
} from './content-filters.js';
import type { ResetInterval } from './reset-interval.js';

/** The switches of a guardrail that enforce zero data retention, by the place of the model's author in ZDR_VENDORS. */
export const ZDR_SWITCHES = [
  'enforceZdrVendorA',
  'enforceZdrVendorB',
  'enforceZdrVendorC',
  'enforceZdrVendorD',
  'enforceZdrOther',
] as const;

export type ZdrSwitch = (typeof ZDR_SWITCHES)[number];

/** The switches of a guardrail that allow endpoints which publish or train. */
export const ENDPOINT_SWITCHES = [
  'enableFreeModelPublication',
  'enableFreeModelTraining',
  'enablePaidModelTraining',
] as const;

export type EndpointSwitch = (typeof ENDPOINT_SWITCHES)[number];

type AllowList = 'allowedModels' | 'allowedProviders' | 'allowedDataRegions';

type IgnoreList = 'ignoredModels' | 'ignoredProviders';

type ListName = AllowList | IgnoreList;

/** What a guardrail asks of models and of those who provide them. */
export interface ModelPolicy
  extends
    Readonly<Record<ZdrSwitch | EndpointSwitch, boolean | null>>,
    Readonly<Record<ListName, readonly string[] | null>> {
  readonly id: string;
}

/** What a guardrail asks for. */
export interface Policy extends ModelPolicy {
  readonly limitUsd: number | null;
  readonly resetInterval: ResetInterval | null;
  readonly includeByokInBudgets: boolean;
  readonly contentFilterBuiltins: readonly StoredBuiltinFilter[] | null;
  readonly contentFilters: readonly StoredCustomFilter[] | null;
}

/** A rule, and the guardrails that it comes from. Null where no guardrail says anything. */
export interface Rule<T> {
  readonly value: T | null;
  readonly guardrailIds: readonly string[];
}

/** A content filter, and the guardrails that have it. */
export type SharedFilter<Filter> = Filter & { readonly guardrailIds: readonly string[] };

/** A spending limit, which is checked by itself. */
export interface Budget {
  readonly guardrailId: string;
  readonly limitUsd: number;
  readonly resetInterval: ResetInterval;
  readonly includeByokInBudgets: boolean;
}

/**
 * What several guardrails ask of models together. An allow-list that is empty allows nothing; one that is null,
 * everything.
 */
export interface EffectiveModelPolicy
  extends
    Readonly<Record<ZdrSwitch | EndpointSwitch, Rule<boolean>>>,
    Readonly<Record<ListName, Rule<readonly string[]>>> {}

/** What several guardrails ask for together. */
export interface EffectivePolicy extends EffectiveModelPolicy {
  readonly contentFilterBuiltins: readonly SharedFilter<StoredBuiltinFilter>[];
  readonly contentFilters: readonly SharedFilter<StoredCustomFilter>[];
  readonly budgets: readonly Budget[];
}

/** From the mildest on. */
const STRICTNESS: readonly FilterAction[] = ['flag', 'redact', 'block'];

/**
 * Combines guardrails, the strictest of each rule winning: allow-lists intersect, ignore-lists unite, zero data retention
 * is enforced where any enforces it, publication and training are allowed where none forbids them, filters unite, and
 * every budget counts by itself. In whatever order they come, the outcome is the same. The time that it takes grows in
 * proportion to the size of the guardrails.
 */
export function combine(policies: readonly Policy[]): EffectivePolicy {
  const distinct = distinctOf(policies);
  return {
    ...modelPolicyOf(distinct),
    contentFilterBuiltins: builtinsOf(distinct),
    contentFilters: customFiltersOf(distinct),
    budgets: distinct.flatMap(budgetOf),
  };
}

/** Combines what guardrails ask of models, as {@link combine} does, and reads none of their filters. */
export function combineForModels(policies: readonly ModelPolicy[]): EffectiveModelPolicy {
  return modelPolicyOf(distinctOf(policies));
}

/** Whether a list of models names one: a name without a variant stands for all variants of that model. */
export function namesModel(names: ReadonlySet<string>, reference: string): boolean {
  return names.has(reference) || names.has(reference.split(':', 1)[0]!);
}

/** One that applies for several reasons is one all the same. */
function distinctOf<P extends ModelPolicy>(policies: readonly P[]): P[] {
  return [...new Map(policies.map((policy) => [policy.id, policy])).values()].sort(byText(({ id }) => id));
}

function modelPolicyOf(distinct: readonly ModelPolicy[]): EffectiveModelPolicy {
  const intersection = (list: AllowList, isNamed: IsNamed): Rule<readonly string[]> =>
    listRule(distinct, list, (lists) => {
      const names = lists.map((entries) => new Set(entries));
      return [...new Set(lists.flat())].filter((entry) => names.every((named) => isNamed(named, entry)));
    });
  const union = (list: IgnoreList): Rule<readonly string[]> =>
    listRule(distinct, list, (lists) => [...new Set(lists.flat())]);
  const enforced = (name: ZdrSwitch): Rule<boolean> => switchRule(distinct, name, true);
  const allowed = (name: EndpointSwitch): Rule<boolean> => switchRule(distinct, name, false);
  return {
    allowedModels: intersection('allowedModels', namesModel),
    ignoredModels: union('ignoredModels'),
    allowedProviders: intersection('allowedProviders', (names, provider) => names.has(provider)),
    ignoredProviders: union('ignoredProviders'),
    allowedDataRegions: intersection('allowedDataRegions', (regions, region) => regions.has(region)),
    enforceZdrVendorA: enforced('enforceZdrVendorA'),
    enforceZdrVendorB: enforced('enforceZdrVendorB'),
    enforceZdrVendorC: enforced('enforceZdrVendorC'),
    enforceZdrVendorD: enforced('enforceZdrVendorD'),
    enforceZdrOther: enforced('enforceZdrOther'),
    enableFreeModelPublication: allowed('enableFreeModelPublication'),
    enableFreeModelTraining: allowed('enableFreeModelTraining'),
    enablePaidModelTraining: allowed('enablePaidModelTraining'),
  };
}

type IsNamed = (names: ReadonlySet<string>, entry: string) => boolean;

function listRule(
  policies: readonly ModelPolicy[],
  list: ListName,
  combineLists: (lists: readonly (readonly string[])[]) => string[],
): Rule<readonly string[]> {
  const speaking = policies.filter((policy) => policy[list] !== null);
  if (speaking.length === 0) return { value: null, guardrailIds: [] };
  const value = combineLists(speaking.map((policy) => policy[list] ?? [])).sort();
  return { value, guardrailIds: speaking.map(({ id }) => id) };
}

/** @param strict what wins against the other value */
function switchRule(
  policies: readonly ModelPolicy[],
  name: ZdrSwitch | EndpointSwitch,
  strict: boolean,
): Rule<boolean> {
  const saying = (value: boolean): string[] => policies.filter((policy) => policy[name] === value).map(({ id }) => id);
  for (const value of [strict, !strict]) {
    const guardrailIds = saying(value);
    if (guardrailIds.length > 0) return { value, guardrailIds };
  }
  return { value: null, guardrailIds: [] };
}

function builtinsOf(policies: readonly Policy[]): SharedFilter<StoredBuiltinFilter>[] {
  const all = policies.flatMap(({ id, contentFilterBuiltins }) =>
    (contentFilterBuiltins ?? []).map((filter) => ({ id, filter })),
  );
  return BUILTIN_FILTER_SLUGS.flatMap((slug) => {
    const same = all.filter(({ filter }) => filter.slug === slug);
    if (same.length === 0) return [];
    const action = strictest(same.map(({ filter }) => filter.action));
    const guardrailIds = [...new Set(same.map(({ id }) => id))];
    if (slug !== SCOPED_BUILTIN_FILTER) return [{ slug, action, guardrailIds }];
    const isNarrow = same.every(({ filter }) => filter.scan_scope === 'user_only');
    return [{ slug, action, scan_scope: isNarrow ? 'user_only' : 'all_messages', guardrailIds }];
  });
}

/** A custom filter that is still being put together. */
interface GatheredFilter extends StoredCustomFilter {
  readonly label: string | null;
  readonly guardrailIds: string[];
}

function customFiltersOf(policies: readonly Policy[]): SharedFilter<StoredCustomFilter>[] {
  const byPattern = new Map<string, GatheredFilter>();
  for (const { id, contentFilters } of policies) {
    for (const { pattern, action, label = null } of contentFilters ?? []) {
      const known = byPattern.get(pattern) ?? { pattern, action, label, guardrailIds: [] };
      // The filters of one guardrail come one after the other.
      if (known.guardrailIds.at(-1) !== id) known.guardrailIds.push(id);
      byPattern.set(pattern, { ...known, ...stricterOf(known, { action, label }) });
    }
  }
  return [...byPattern.values()].sort(byText(({ pattern }) => pattern));
}

type Consequence = Pick<GatheredFilter, 'action' | 'label'>;

/** The stricter of two; of two labels for the same action the first in the order of the alphabet. */
function stricterOf(one: Consequence, other: Consequence): Consequence {
  const { action } = one;
  if (action !== other.action) return strictest([action, other.action]) === action ? one : other;
  const [label = null] = [one.label, other.label].filter((text) => text !== null).sort();
  return { action, label };
}

function strictest(actions: readonly FilterAction[]): FilterAction {
  return STRICTNESS.findLast((action) => actions.includes(action))!;
}

function budgetOf({ id, limitUsd, resetInterval, includeByokInBudgets }: Policy): Budget[] {
  if (limitUsd === null || resetInterval === null) return [];
  return [{ guardrailId: id, limitUsd, resetInterval, includeByokInBudgets }];
}

function byText<T>(textOf: (item: T) => string): (one: T, other: T) => number {
  return (one, other) => (textOf(one) < textOf(other) ? -1 : 1);
}
