import { isDeepStrictEqual } from 'node:util';
import {
  appliesTo,
  FILTER_PLACES,
  type FilterAction,
  type FilterPlace,
  type Placement,
  placementOf,
} from '../../content/content-filters.js';
import {
  BUILTIN_FILTER_SLUGS,
  SCOPED_BUILTIN_FILTER,
  type StoredBuiltinFilter,
  type StoredCustomFilter,
} from '../content-filters/stored-filters.js';
import type { Enforcement } from '../../limits/limit-vocabulary.js';
import { combineMcpTools, type EffectiveMcpTools, type McpToolsPolicy } from '../mcp/mcp-tools-policy.js';
import type { EffectiveRule, SharedFilter } from './effective-rule.js';
import type { ResetInterval } from '../dto/guardrail.dto.js';

/** The switches that enforce zero data retention, by the position of the model's author in ZDR_VENDORS. */
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

/** The rules of a guardrail about models and providers. */
export interface ModelPolicy
  extends
    Readonly<Record<ZdrSwitch | EndpointSwitch, boolean | null>>,
    Readonly<Record<ListName, readonly string[] | null>> {
  readonly id: string;
}

/** The rules of a guardrail. */
export interface Policy extends ModelPolicy, McpToolsPolicy {
  readonly name: string;
  readonly enforcement: Enforcement;
  readonly limitUsd: number | null;
  readonly resetInterval: ResetInterval | null;
  readonly includeByokInBudgets: boolean;
  readonly contentFilterBuiltins: readonly StoredBuiltinFilter[] | null;
  readonly contentFilters: readonly StoredCustomFilter[] | null;
  readonly inspectorIds: readonly string[] | null;
}

/** An inspector that judges texts, and the guardrails that name it. */
export interface NamedInspector {
  readonly id: string;
  readonly guardrailIds: readonly string[];
}

/** A spending limit, which is checked separately. */
export interface Budget {
  readonly guardrailId: string;
  readonly limitUsd: number;
  readonly resetInterval: ResetInterval;
  readonly includeByokInBudgets: boolean;
}

/**
 * The combined rules of several guardrails about models. An empty allow-list allows nothing, null allows everything.
 */
export interface EffectiveModelPolicy
  extends
    Readonly<Record<ZdrSwitch | EndpointSwitch, EffectiveRule<boolean>>>,
    Readonly<Record<ListName, EffectiveRule<readonly string[]>>> {}

/** The combined rules of several guardrails. */
export interface EffectivePolicy extends EffectiveModelPolicy, EffectiveMcpTools {
  readonly contentFilterBuiltins: readonly SharedFilter<StoredBuiltinFilter>[];
  readonly contentFilters: readonly SharedFilter<StoredCustomFilter>[];
  /** Each once, by their ids. */
  readonly inspectors: readonly NamedInspector[];
  readonly budgets: readonly Budget[];
}

/** From the mildest to the strictest. */
const STRICTNESS: readonly FilterAction[] = ['flag', 'redact', 'block'];

/**
 * Combines guardrails, the strictest of each rule winning: allow-lists intersect, ignore-lists unite, zero data
 * retention is enforced where any enforces it, publication and training are allowed where none forbids them, filters
 * unite in each place, and every budget counts by itself. The order of the guardrails does not matter. Takes time in proportion to
 * their size.
 */
export function combine(policies: readonly Policy[]): EffectivePolicy {
  const distinct = distinctOf(policies);
  return {
    ...modelPolicyOf(distinct),
    contentFilterBuiltins: builtinsOf(distinct),
    contentFilters: customFiltersOf(distinct),
    inspectors: inspectorsOf(distinct),
    ...combineMcpTools(distinct),
    budgets: distinct.flatMap(budgetOf),
  };
}

/** A guardrail that only observes, with its own rules (docs/interface/guardrails.md#observing). */
export interface ObservingPolicy {
  readonly id: string;
  readonly name: string;
  readonly rules: EffectivePolicy;
}

/** The rules that refuse, and those of the guardrails that only observe. */
export interface PolicyInForce {
  readonly rules: EffectivePolicy;
  readonly observing: readonly ObservingPolicy[];
}

/**
 * Combines the guardrails that enforce, as {@link combine} does, and keeps those that observe apart. The rules of all of them together permit
 * what each of them permits, so what one that observes would have done beside the others is told by its own rules.
 */
export function policyInForce(policies: readonly Policy[]): PolicyInForce {
  return {
    rules: combine(policies.filter(({ enforcement }) => enforcement === 'enforce')),
    observing: distinctOf(policies.filter(({ enforcement }) => enforcement === 'observe')).map((policy) => ({
      id: policy.id,
      name: policy.name,
      rules: combine([policy]),
    })),
  };
}

/** Whether an action does at least as much to a request as another one. */
export function isAsStrict(action: FilterAction, other: FilterAction): boolean {
  return STRICTNESS.indexOf(action) >= STRICTNESS.indexOf(other);
}

/** Combines the rules about models only, as {@link combine} does. */
export function combineForModels(policies: readonly ModelPolicy[]): EffectiveModelPolicy {
  return modelPolicyOf(distinctOf(policies));
}

/** What tells one state of a guardrail from another. */
interface VersionedRow {
  readonly id: string;
  /** The transaction that wrote it. */
  readonly version: string;
}

/**
 * The version of the guardrails that apply to a key: it differs whenever one of them has changed, or another one applies. One
 * that applies for several reasons counts once, so that keys under the same guardrails share a version.
 */
export function policyVersionOf(guardrails: readonly VersionedRow[]): string {
  return [...new Set(guardrails.map(({ id, version }) => `${id} ${version}`))].sort().join();
}

/** The ids of the guardrails that a version ({@link policyVersionOf}) is of, as one name. */
export function guardrailsOfVersion(version: string): string {
  return version.replaceAll(/ \d+/g, '');
}

/** Whether a list of models names one: a name without a variant stands for all variants of that model. */
export function namesModel(names: ReadonlySet<string>, reference: string): boolean {
  return names.has(reference) || names.has(reference.split(':', 1)[0]!);
}

/** A guardrail that applies for several reasons counts once. */
function distinctOf<P extends ModelPolicy>(policies: readonly P[]): P[] {
  return [...new Map(policies.map((policy) => [policy.id, policy])).values()].sort(byText(({ id }) => id));
}

function modelPolicyOf(distinct: readonly ModelPolicy[]): EffectiveModelPolicy {
  const intersection = (list: AllowList, isNamed: IsNamed): EffectiveRule<readonly string[]> =>
    listRule(distinct, list, (lists) => {
      const names = lists.map((entries) => new Set(entries));
      return [...new Set(lists.flat())].filter((entry) => names.every((named) => isNamed(named, entry)));
    });
  const union = (list: IgnoreList): EffectiveRule<readonly string[]> =>
    listRule(distinct, list, (lists) => [...new Set(lists.flat())]);
  const enforced = (name: ZdrSwitch): EffectiveRule<boolean> => switchRule(distinct, name, true);
  const allowed = (name: EndpointSwitch): EffectiveRule<boolean> => switchRule(distinct, name, false);
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
): EffectiveRule<readonly string[]> {
  const speaking = policies.filter((policy) => policy[list] !== null);
  if (speaking.length === 0) return { value: null, guardrailIds: [] };
  const value = combineLists(speaking.map((policy) => policy[list] ?? [])).sort();
  return { value, guardrailIds: speaking.map(({ id }) => id) };
}

/** @param strict the value that wins */
function switchRule(
  policies: readonly ModelPolicy[],
  name: ZdrSwitch | EndpointSwitch,
  strict: boolean,
): EffectiveRule<boolean> {
  const saying = (value: boolean): string[] => policies.filter((policy) => policy[name] === value).map(({ id }) => id);
  for (const value of [strict, !strict]) {
    const guardrailIds = saying(value);
    if (guardrailIds.length > 0) return { value, guardrailIds };
  }
  return { value: null, guardrailIds: [] };
}

/** A filter of a guardrail. */
interface OwnedFilter<Filter> {
  readonly id: string;
  readonly filter: Filter;
}

function builtinsOf(policies: readonly Policy[]): SharedFilter<StoredBuiltinFilter>[] {
  const all = policies.flatMap(({ id, contentFilterBuiltins }) =>
    (contentFilterBuiltins ?? []).map((filter) => ({ id, filter })),
  );
  return BUILTIN_FILTER_SLUGS.flatMap((slug) => {
    const same = all.filter(({ filter }) => filter.slug === slug);
    return sharedByPlace(same, (applying) => {
      const action = strictest(applying.map(({ filter }) => filter.action));
      if (slug !== SCOPED_BUILTIN_FILTER) return { slug, action };
      const isNarrow = applying.every(({ filter }) => filter.scan_scope === 'user_only');
      return { slug, action, scan_scope: isNarrow ? 'user_only' : 'all_messages' };
    });
  });
}

function customFiltersOf(policies: readonly Policy[]): SharedFilter<StoredCustomFilter>[] {
  const byPattern = new Map<string, OwnedFilter<StoredCustomFilter>[]>();
  for (const { id, contentFilters } of policies) {
    for (const filter of contentFilters ?? []) {
      const same = byPattern.get(filter.pattern);
      if (same === undefined) byPattern.set(filter.pattern, [{ id, filter }]);
      else same.push({ id, filter });
    }
  }
  const sorted = [...byPattern].sort(byText(([pattern]) => pattern));
  return sorted.flatMap(([pattern, same]) =>
    sharedByPlace(same, (applying) => ({ pattern, ...strictestConsequence(applying) })),
  );
}

/**
 * Combines filters that look for the same in each place where some of them apply. The places that come to the same are together: where all
 * filters apply in the same places, there is one.
 *
 * @param combined what several filters come to where they all apply
 */
function sharedByPlace<Filter extends Placement>(
  filters: readonly OwnedFilter<Filter>[],
  combined: (applying: readonly OwnedFilter<Filter>[]) => Filter,
): SharedFilter<Filter>[] {
  const shared: { readonly rule: SharedFilter<Filter>; readonly places: FilterPlace[] }[] = [];
  for (const place of FILTER_PLACES) {
    const applying = filters.filter(({ filter }) => appliesTo(filter, [place]));
    if (applying.length === 0) continue;
    const rule = { ...combined(applying), guardrailIds: [...new Set(applying.map(({ id }) => id))] };
    const known = shared.find((other) => isDeepStrictEqual(other.rule, rule));
    if (known === undefined) shared.push({ rule, places: [place] });
    else known.places.push(place);
  }
  return shared.map(({ rule, places }) => ({ ...rule, ...placementOf(places) }));
}

interface Consequence {
  readonly action: FilterAction;
  readonly label: string | null;
}

function strictestConsequence(filters: readonly OwnedFilter<StoredCustomFilter>[]): Consequence {
  return filters
    .map(({ filter: { action, label = null } }): Consequence => ({ action, label }))
    .reduce((one, other) => stricterOf(one, other));
}

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

function inspectorsOf(policies: readonly Policy[]): NamedInspector[] {
  const guardrails = new Map<string, string[]>();
  for (const { id, inspectorIds } of policies) {
    for (const inspector of inspectorIds ?? []) guardrails.set(inspector, [...(guardrails.get(inspector) ?? []), id]);
  }
  return [...guardrails].map(([id, guardrailIds]) => ({ id, guardrailIds })).sort(byText(({ id }) => id));
}

function budgetOf({ id, limitUsd, resetInterval, includeByokInBudgets }: Policy): Budget[] {
  if (limitUsd === null || resetInterval === null) return [];
  return [{ guardrailId: id, limitUsd, resetInterval, includeByokInBudgets }];
}

function byText<T>(textOf: (item: T) => string): (one: T, other: T) => number {
  return (one, other) => (textOf(one) < textOf(other) ? -1 : 1);
}
