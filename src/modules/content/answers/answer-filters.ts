import { ANSWER_PLACES, appliesTo, type ContentFilters } from '../content-filters.js';
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
    return new AnswerFilters(answerPolicyOf(organizationId, filters, engine), engine, organizationId, keyOf(filters));
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

/** Of filters that note as well: what is kept under others was noted by nobody. */
function keyOf({ contentFilterBuiltins, contentFilters }: ContentFilters): string {
  const ofAnswers = [...contentFilterBuiltins, ...contentFilters].flatMap((filter) => {
    const places = ANSWER_PLACES.filter((place) => appliesTo(filter, [place]));
    if (places.length === 0) return [];
    const { action } = filter;
    return ['slug' in filter ? [filter.slug, action, places] : [filter.pattern, action, filter.label, places]];
  });
  return ofAnswers.length === 0 ? '' : JSON.stringify(ofAnswers);
}
