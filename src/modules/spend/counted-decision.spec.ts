import { CompiledLimit } from '../limits/compiled-limit.js';
import type { LimitEntity } from '../limits/entities/limit.entity.js';
import type { CounterState } from '../limits/limit-counters.js';
import { type CountedFit, countedDecisionOf, type RequestedCounter } from './counted-decision.js';
import { textOfUnits } from './decimal-amount.js';
import { CounterPlaces, OpenCounters } from './open-counters.js';
import type { CandidatePrice } from './worst-case.js';

const KEY = '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f60';
const ONE = 10n ** 18n;

/** Numbers that look random, the same in every run. */
class Numbers {
  constructor(private state: number) {}

  below(bound: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * bound);
  }

  oneOf<Value>(values: readonly Value[]): Value {
    return values[this.below(values.length)]!;
  }
}

const LIMIT: LimitEntity = {
  organizationId: 'org',
  id: '',
  name: 'limit',
  workspaceId: null,
  conditions: [],
  groupBy: [],
  measure: 'usd',
  amount: 0,
  window: 'daily',
  onMissing: 'none',
  includeByok: false,
  enforcement: 'enforce',
  alertAt: [],
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

/** A request with some candidates, and the counters that it counts on. */
interface Tried {
  readonly asked: readonly RequestedCounter[];
  readonly costs: readonly CandidatePrice[];
  readonly tokens: readonly CandidatePrice[];
  readonly namedTokens: number | null;
}

function priceOf(numbers: Numbers, isByok: boolean): CandidatePrice {
  return {
    fixed: BigInt(1 + numbers.below(5)) * ONE,
    perToken: BigInt(1 + numbers.below(3)) * ONE,
    longestAnswer: 5 + numbers.below(20),
    isByok,
  };
}

function limitOf(numbers: Numbers, index: number, isOfCandidates: boolean): CompiledLimit {
  return new CompiledLimit({
    ...LIMIT,
    id: `limit-${index}`,
    measure: numbers.oneOf(['usd', 'tokens', 'requests'] as const),
    amount: 10 + numbers.below(300),
    includeByok: numbers.below(2) === 0,
    enforcement: numbers.below(5) === 0 ? 'observe' : 'enforce',
    groupBy: isOfCandidates ? ['provider'] : ['user'],
  });
}

/** Requests of a run: each limit has a counter for each of three users, or for each candidate. */
function requestOf(numbers: Numbers, limits: readonly CompiledLimit[]): Tried {
  const candidates = Array.from({ length: 1 + numbers.below(3) }, (_, index) => index);
  const costs = candidates.map(() => priceOf(numbers, numbers.below(4) === 0));
  const user = numbers.oneOf(['ada', 'grace', 'mary']);
  const counterOf = (limit: CompiledLimit, combination: string) => ({
    limit,
    limitId: limit.row.id,
    combination,
    windowStart: new Date(0),
    values: {},
  });
  return {
    costs,
    tokens: costs.map(({ longestAnswer, isByok }) => ({ fixed: 3n * ONE, perToken: ONE, longestAnswer, isByok })),
    namedTokens: numbers.below(2) === 0 ? null : 1 + numbers.below(10),
    asked: limits.flatMap((limit) =>
      limit.isOfCandidates
        ? candidates.map((index) => ({ counter: counterOf(limit, `provider ${index}`), candidates: [index] }))
        : [{ counter: counterOf(limit, user), candidates }],
    ),
  };
}

/** What a request may use of a counter at a candidate, at most. */
function useAt({ counter }: RequestedCounter, index: number, tried: Tried, longest: number): bigint {
  const { measure, includeByok } = counter.limit.row;
  if (measure === 'requests') return ONE;
  const { fixed, perToken, longestAnswer, isByok } = (measure === 'usd' ? tried.costs : tried.tokens)[index]!;
  if (isByok && !includeByok) return 0n;
  return fixed + perToken * BigInt(tried.namedTokens ?? Math.min(longestAnswer, longest));
}

/** What it may use of a counter at most, of the candidates that are left. */
function mostOf(asked: RequestedCounter, tried: Tried, fit: CountedFit): bigint {
  const left = fit.candidates ?? tried.costs.map((_, index) => index);
  const uses = asked.candidates
    .filter((index) => left.includes(index))
    .map((index) => useAt(asked, index, tried, fit.cappedTokens ?? Infinity));
  return uses.reduce((most, use) => (use > most ? use : most), 0n);
}

const NAME = ({ counter }: RequestedCounter): string => `${counter.limitId} ${counter.combination}`;

describe.each([
  ['of requests', [false, false, false]],
  ['of candidates', [true, true]],
  ['of both', [true, false, true, false]],
])('decisions under limits %s', (_, kinds) => {
  const runs = Array.from({ length: 60 }, (__, run) => run);

  it('never let admitted requests use more of a counter than there may be, whatever they use of what they may', () => {
    let admitted = 0;
    let refused = 0;
    for (const run of runs) {
      const numbers = new Numbers(run);
      const limits = kinds.map((isOfCandidates, index) => limitOf(numbers, index, isOfCandidates));
      const requests = Array.from({ length: 30 }, () => requestOf(numbers, limits));
      const places = new CounterPlaces(
        requests.flatMap(({ asked }) => asked.map(({ counter }) => ({ counter, keyId: KEY }))),
      );
      const used = places.places.map(() => BigInt(numbers.below(10)) * ONE);
      const states: CounterState[] = used.map((amount) => ({
        exists: true,
        amount: textOfUnits(amount),
        byokAmount: '0',
        reserved: '0',
        reservedWithByok: '0',
        exception: null,
      }));
      const open = new OpenCounters(places, states, []);
      const sums = new Map(places.places.map((counter, index) => [NAME({ counter, candidates: [] }), used[index]!]));
      for (const tried of requests) {
        const { asked, costs, tokens, namedTokens } = tried;
        const worstCase = { candidates: costs, namedTokens };
        const counters = { asked, costs: costs.map((price) => [price]), tokens, isFree: costs.map(() => false) };
        const decision = countedDecisionOf({ worstCase, counters, keyId: KEY }, [], open);
        const enforced = asked.filter(({ counter }) => !counter.limit.isObserving);
        const left = ({ counter }: RequestedCounter): bigint =>
          BigInt(counter.limit.row.amount) * ONE - sums.get(NAME({ counter, candidates: [] }))!;
        if (!('fits' in decision)) {
          refused += 1;
          const lacks = (index: number): boolean =>
            enforced.some((one) => one.candidates.includes(index) && left(one) < useAt(one, index, tried, 1));
          // Of candidates each is looked at by itself: not one fits.
          if (kinds.every(Boolean)) expect(costs.map((__, index) => lacks(index))).not.toContain(false);
          expect(costs.map((__, index) => lacks(index))).toContain(true);
          continue;
        }
        admitted += 1;
        for (const { counter, ...amounts } of decision.holds) open.take(counter, KEY, amounts);
        for (const one of asked) sums.set(NAME(one), sums.get(NAME(one))! + mostOf(one, tried, decision));
        const over = enforced.filter((one) => left(one) < 0n).map(NAME);
        expect({ run, over }).toEqual({ run, over: [] });
      }
    }
    expect(Math.min(admitted, refused)).toBeGreaterThan(100);
  });
});
