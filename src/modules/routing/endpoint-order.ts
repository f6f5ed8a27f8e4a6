import type { CatalogEndpoint } from '../catalog/catalog-endpoint.js';
import type { CatalogModel } from '../catalog/catalog-model.js';
import type { Percentiles } from '../catalog/model-facts.js';
import { namesEndpoint, namesOf } from './endpoint-exclusion.js';

/** How well an endpoint has answered lately, from best to worst. */
export const CONDITIONS = ['normal', 'degraded', 'down'] as const;

export type EndpointCondition = (typeof CONDITIONS)[number];

/** An endpoint that may be tried for a model. */
export interface CandidateEndpoint {
  readonly model: CatalogModel;
  readonly endpoint: CatalogEndpoint;
}

/** A bound by percentile; a number stands for p50. */
export type PercentileBound = number | Readonly<Partial<Record<keyof Percentiles, number>>>;

/** What decides about the order of candidates. */
export interface OrderRules {
  /** Providers or tags to try first, in this order. */
  readonly order?: readonly string[] | null;
  /** Parameters of the request, by the names of the catalog. Endpoints that do not list them are tried behind those that do. */
  readonly preferredParameters?: ReadonlySet<string>;
  readonly sort: 'price' | 'throughput' | 'latency' | 'exacto' | null;
  /** Tokens per second. Endpoints below it are tried last. */
  readonly minimumThroughput?: PercentileBound | null;
  /** Seconds to the first token. Endpoints above it are tried last. */
  readonly maximumLatency?: PercentileBound | null;
  /** Whether the cache of an endpoint knows the prompt. It is tried first among those that are equally well, unless `order` or `sort` say otherwise. */
  readonly isSticky: (candidate: CandidateEndpoint) => boolean;
  readonly conditionOf: (candidate: CandidateEndpoint) => EndpointCondition;
  /** What endpoints are compared by where prices count, in USD. */
  readonly priceOf: (endpoint: CatalogEndpoint) => number;
  /** A number from 0 up to, and without, 1. */
  readonly random: () => number;
}

/** The weight of an endpoint that costs nothing, beside which no price is chosen. */
const WEIGHT_OF_FREE = 1e18;

/**
 * Puts the candidates of one model in the order in which they are tried (docs/interface/inference.md#order): what the request
 * asks for first; without that, healthy endpoints first and among them the cheaper ones more often, by one over the square of
 * the price.
 */
export function orderedCandidates<Candidate extends CandidateEndpoint>(
  candidates: readonly Candidate[],
  rules: OrderRules,
): Candidate[] {
  const ordered = rules.sort === null ? byChance(candidates, rules) : sorted(candidates, rules);
  const preferred = stable(ordered, (candidate) => Number(missesBounds(candidate, rules)));
  const order = rules.order ?? [];
  if (order.length === 0) return preferred;
  return stable(preferred, (candidate) => placeIn(order, candidate));
}

/** The place of a candidate in the order that a request asks for; behind all for one that it does not name. */
function placeIn(order: readonly string[], { endpoint }: CandidateEndpoint): number {
  const place = order.findIndex((name) => namesEndpoint(namesOf([name])!, endpoint));
  return place === -1 ? order.length : place;
}

/**
 * Puts candidates that a request belongs to before those that it could go to as well: before every other preference but the order that the
 * request asks for, in which the places stay with the same providers.
 *
 * @param rankOf what comes first is smaller
 */
export function withOwnFirst<Candidate extends CandidateEndpoint>(
  candidates: readonly Candidate[],
  order: readonly string[],
  rankOf: (candidate: Candidate) => number,
): Candidate[] {
  const ranked = stable(candidates, rankOf);
  const iterators = new Map<number, Iterator<Candidate>>();
  return candidates.map((candidate) => {
    const place = placeIn(order, candidate);
    const equals = iterators.get(place) ?? ranked.filter((one) => placeIn(order, one) === place).values();
    iterators.set(place, equals);
    return equals.next().value as Candidate;
  });
}

function byChance<Candidate extends CandidateEndpoint>(
  candidates: readonly Candidate[],
  rules: OrderRules,
): Candidate[] {
  const { order, isSticky, conditionOf, random, preferredParameters } = rules;
  const drawn = weightedOrder(candidates, (candidate) => weightOf(rules.priceOf(candidate.endpoint)), random);
  const isOrdered = (order?.length ?? 0) > 0;
  const kept = isOrdered ? drawn : stable(drawn, (candidate) => Number(!isSticky(candidate)));
  const able = byAbility(kept, preferredParameters);
  return stable(able, (candidate) => CONDITIONS.indexOf(conditionOf(candidate)));
}

/** An endpoint that leaves out what was asked for is worth less than any price or cache. */
function byAbility<Candidate extends CandidateEndpoint>(
  candidates: readonly Candidate[],
  parameters: ReadonlySet<string> = new Set(),
): readonly Candidate[] {
  if (parameters.size === 0) return candidates;
  return stable(candidates, ({ endpoint: { row } }) => {
    return [...parameters].filter((name) => !row.supportedParameters.includes(name)).length;
  });
}

function weightOf(price: number): number {
  return price > 0 ? Math.min(1 / price ** 2, WEIGHT_OF_FREE) : WEIGHT_OF_FREE;
}

/** Draws all items one after the other, each with a chance in proportion to its weight (Efraimidis and Spirakis, 2006). */
function weightedOrder<Item>(items: readonly Item[], weight: (item: Item) => number, random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: -Math.log(1 - random()) / weight(item) }))
    .sort((one, other) => one.key - other.key)
    .map(({ item }) => item);
}

function sorted<Candidate extends CandidateEndpoint>(candidates: readonly Candidate[], rules: OrderRules): Candidate[] {
  const { sort, conditionOf, preferredParameters } = rules;
  const valueOf = (candidate: Candidate): number => {
    const { latency_last_30m: latency, throughput_last_30m: throughput } = candidate.endpoint.row.measurements;
    if (sort === 'price') return rules.priceOf(candidate.endpoint);
    if (sort === 'latency') return latency?.p50 ?? Infinity;
    if (sort === 'throughput') return -(throughput?.p50 ?? 0);
    return -(candidate.model.row.traits?.tool_success_rate ?? 0);
  };
  const inOrderOfValue = stable(sort === 'exacto' ? byToolSupport(candidates, rules) : candidates, valueOf);
  const able = byAbility(inOrderOfValue, preferredParameters);
  return stable(able, (candidate) => Number(conditionOf(candidate) === 'down'));
}

/** Tool quality is that of a model, so of its endpoints those that take tools come first, and among them the cheaper ones. */
function byToolSupport<Candidate extends CandidateEndpoint>(
  candidates: readonly Candidate[],
  rules: OrderRules,
): Candidate[] {
  const takesTools = ({ endpoint }: Candidate): boolean => endpoint.row.supportedParameters.includes('tools');
  return stable(
    stable(candidates, ({ endpoint }) => rules.priceOf(endpoint)),
    (candidate) => Number(!takesTools(candidate)),
  );
}

function missesBounds({ endpoint }: CandidateEndpoint, rules: OrderRules): boolean {
  const { latency_last_30m: latency, throughput_last_30m: throughput } = endpoint.row.measurements;
  const isSlow = boundsOf(rules.minimumThroughput).some(([part, bound]) => (throughput?.[part] ?? Infinity) < bound);
  // Measured in milliseconds.
  return isSlow || boundsOf(rules.maximumLatency).some(([part, bound]) => (latency?.[part] ?? 0) > bound * 1_000);
}

function boundsOf(bound: PercentileBound | null | undefined): (readonly [keyof Percentiles, number])[] {
  if (bound === undefined || bound === null) return [];
  if (typeof bound === 'number') return [['p50', bound]];
  return Object.entries(bound) as (readonly [keyof Percentiles, number])[];
}

function stable<Item>(items: readonly Item[], rank: (item: Item) => number): Item[] {
  return [...items].sort((one, other) => {
    const [first, second] = [rank(one), rank(other)];
    // Two infinite ranks are equal, and their difference is no number.
    return first === second ? 0 : first - second;
  });
}
