import type { ObservedGuardrail } from '../generations/generation-details.js';
import { textOfUnits } from '../spend/decimal-amount.js';
import type { ReplayedKey, ReplayResult } from './replay-result.js';

/** How many keys and examples a result has. */
const MAXIMUM_KEYS = 20;
const MAXIMUM_EXAMPLES = 20;

interface Sum {
  count: number;
  cost: bigint;
}

/** A request that is counted. */
interface TalliedRequest {
  readonly id: string;
  readonly keyId: string;
  /** In the smallest units of a US dollar. */
  readonly cost: bigint;
}

/** Sums up what a guardrail or a limit would have done to requests. */
export class ReplayTally {
  /** How many requests were looked at. */
  readCount = 0;
  undecided = 0;
  contentsRead = 0;
  private readonly refused: Sum = { count: 0, cost: 0n };
  private readonly rules = new Map<string, Sum & Pick<ObservedGuardrail, 'outcome' | 'reason'>>();
  private readonly keys = new Map<string, Sum>();
  private readonly examples: ReplayResult['examples'][number][] = [];

  /**
   * Adds a request.
   *
   * @param done what would have been done to it: of several refusals the first decides
   */
  add(request: TalliedRequest, done: readonly Done[]): void {
    this.readCount += 1;
    const refusal = done.find(({ outcome }) => outcome === 'refused');
    for (const { outcome, reason } of refusal === undefined ? done : [refusal]) {
      raise(
        known(this.rules, `${outcome} ${reason}`, () => ({ outcome, reason, count: 0, cost: 0n })),
        request.cost,
      );
    }
    if (refusal === undefined) return;
    raise(this.refused, request.cost);
    raise(
      known(this.keys, request.keyId, () => ({ count: 0, cost: 0n })),
      request.cost,
    );
    if (this.examples.length < MAXIMUM_EXAMPLES) {
      this.examples.push({ generationId: request.id, reason: refusal.reason });
    }
  }

  /** How many requests something was done to, each of which may have several outcomes. */
  countOf(outcome: Done['outcome']): number {
    const those = [...this.rules.values()].filter((rule) => rule.outcome === outcome);
    return those.reduce((sum, { count }) => sum + count, 0);
  }

  get result(): ReplayResult {
    return {
      undecidedCount: this.undecided,
      contentsRead: this.contentsRead,
      refusedCount: this.refused.count,
      refusedCostUsd: textOfUnits(this.refused.cost),
      rules: [...this.rules.values()].map(({ cost, ...rule }) => ({ ...rule, costUsd: textOfUnits(cost) })),
      keys: this.foremostKeys(),
      examples: this.examples,
    };
  }

  private foremostKeys(): ReplayedKey[] {
    return [...this.keys]
      .sort(([, one], [, other]) => other.count - one.count)
      .slice(0, MAXIMUM_KEYS)
      .map(([keyId, { count, cost }]) => ({ keyId, count, costUsd: textOfUnits(cost) }));
  }
}

/** What would have been done to a request. */
export type Done = Pick<ObservedGuardrail, 'outcome' | 'reason'>;

function raise(sum: Sum, cost: bigint): void {
  sum.count += 1;
  sum.cost += cost;
}

function known<Value>(map: Map<string, Value>, name: string, make: () => Value): Value {
  const found = map.get(name) ?? make();
  map.set(name, found);
  return found;
}
