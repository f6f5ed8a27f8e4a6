import { ANSWER_PLACES, type ContentFilters } from '../content-filters.js';
import type { ContentEngine } from '../engine/compiled-filters.js';
import type { AnswerJudge } from './answer-judge.js';
import { AnswerInspection } from './answer-inspection.js';
import { type AnswerPolicy, answerPolicyOf, observingPolicyOf } from './answer-policy.js';

/** The filters of a policy that apply to answers, compiled once for all requests under it (docs/interface/content-filters.md#answers). */
export class AnswerFilters {
  private constructor(
    private readonly policy: AnswerPolicy,
    private readonly engine: ContentEngine,
    private readonly organizationId: string,
    /** Tells one set of filters from another: two with one key make the same of every answer. Empty for none. */
    readonly key: string,
  ) {}

  static of(organizationId: string, filters: ContentFilters, engine: ContentEngine): AnswerFilters {
    const policy = answerPolicyOf(organizationId, filters, engine);
    return new AnswerFilters(policy, engine, organizationId, isEmpty(policy) ? '' : keyOf(filters));
  }

  /** Whether none of them applies to answers. */
  get isEmpty(): boolean {
    return this.key === '';
  }

  /** Whether some filter has to see a text to its end before any of it leaves. */
  get holdsWholeText(): boolean {
    return ANSWER_PLACES.some((place) => {
      const policy = this.policy[place];
      return policy?.enforcing !== undefined && policy.bounded === undefined;
    });
  }

  /**
   * Begins to apply them to an answer.
   *
   * @param signal ends the work when the client is gone
   * @param judges judge behind them
   */
  inspection(signal: AbortSignal, judges: readonly AnswerJudge[] = []): AnswerInspection {
    return new AnswerInspection(this.policy, this.engine, this.organizationId, signal, judges);
  }

  /** Begins to find out what they would do to an answer: nothing of it is changed or held. */
  observation(signal: AbortSignal): AnswerInspection {
    return new AnswerInspection(observingPolicyOf(this.policy), this.engine, this.organizationId, signal, [], true);
  }
}

function isEmpty({ response, tool_call: toolCall }: AnswerPolicy): boolean {
  return response === undefined && toolCall === undefined;
}

function keyOf({ contentFilterBuiltins, contentFilters }: ContentFilters): string {
  return JSON.stringify([
    contentFilterBuiltins.map(({ slug, action, applies_to: places }) => [slug, action, places]),
    contentFilters.map(({ pattern, action, label, applies_to: places }) => [pattern, action, label, places]),
  ]);
}
