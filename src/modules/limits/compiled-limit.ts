import { combinationOf } from './combination.js';
import type { LimitEntity } from './entities/limit.entity.js';
import {
  type CandidateAttributes,
  isOfCandidates,
  isOfTools,
  labelIn,
  type RequestAttributes,
  valueOf,
} from './limit-attributes.js';
import type { CombinationValues, LimitCondition, LimitKey } from './limit-vocabulary.js';
import { windowStartOf } from './limit-windows.js';

/** A counter of a limit. */
export interface CounterPlace {
  readonly limitId: string;
  /** As `combinationOf` names it. */
  readonly combination: string;
  readonly windowStart: Date;
}

/** A counter that a request counts on. */
export interface AskedCounter extends CounterPlace {
  readonly limit: CompiledLimit;
  readonly values: CombinationValues;
}

/** What a limit comes to for a request: nothing where it does not apply, or a key that the request must have and lacks. */
type Match = AskedCounter | { readonly missing: LimitKey } | undefined;

/** The keys of which clients invent values as they like, besides labels. */
const INVENTED: ReadonlySet<LimitKey> = new Set(['user', 'session']);

/** A limit that is ready to be compared with requests (docs/interface/limits.md#which-requests-count). */
export class CompiledLimit {
  /** Whether its conditions or groups are about candidates, of which some may be left while it takes others out. */
  readonly isOfCandidates: boolean;
  /** Whether its conditions or groups are about calls of tools, of which other requests have nothing. */
  private readonly isOfTools: boolean;
  /** Whether clients can make as many combinations as they like. */
  readonly hasInventedCombinations: boolean;
  readonly isObserving: boolean;

  constructor(readonly row: LimitEntity) {
    const keys = [...row.conditions.map(({ key }) => key), ...row.groupBy];
    this.isOfCandidates = keys.some(isOfCandidates);
    this.isOfTools = keys.some(isOfTools);
    this.hasInventedCombinations = row.groupBy.some((key) => INVENTED.has(key) || labelIn(key) !== undefined);
    this.isObserving = row.enforcement === 'observe';
  }

  /** The limit as it would be if it did not only observe. */
  get enforced(): CompiledLimit {
    return this.isObserving ? new CompiledLimit({ ...this.row, enforcement: 'enforce' }) : this;
  }

  /**
   * The counter that a request counts on.
   *
   * @param candidate the candidate, for a limit that is about candidates
   * @param at when the request came, which decides about the window
   */
  match(request: RequestAttributes, candidate: CandidateAttributes | undefined, at: Date): Match {
    const { id, workspaceId, conditions, groupBy, onMissing, window } = this.row;
    if (workspaceId !== null && workspaceId !== request.workspace) return undefined;
    if (request.server === null ? this.isOfTools : this.isOfCandidates) return undefined;
    if (!conditions.every((condition) => holds(condition, valueOf(condition.key, request, candidate))))
      return undefined;
    const values: CombinationValues = Object.fromEntries(groupBy.map((key) => [key, valueOf(key, request, candidate)]));
    const missing = groupBy.find((key) => values[key] === null);
    if (missing !== undefined && onMissing === 'none') return undefined;
    if (missing !== undefined && onMissing === 'refuse') return { missing };
    return {
      limit: this,
      limitId: id,
      combination: combinationOf(groupBy, values),
      values,
      windowStart: windowStartOf(window, at),
    };
  }
}

function holds({ values, excludes = [] }: LimitCondition, value: string | null): boolean {
  return value !== null && (values === '*' || values.includes(value)) && !excludes.includes(value);
}
