import { ANSWER_PLACES, type ContentFilters } from '../content-filters.js';
import type { ContentEngine } from '../engine/compiled-filters.js';
import { AnswerInspection } from './answer-inspection.js';
import { type AnswerPolicy, answerPolicyOf } from './answer-policy.js';

/** The filters of a policy that apply to answers, compiled once for all requests under it (docs/interface/content-filters.md#answers). */
export class AnswerFilters {
  private constructor(
    private readonly policy: AnswerPolicy,
    private readonly engine: ContentEngine,
    private readonly organizationId: string,
    /** Tells one set of filters from another: two with one key make the same of every answer. */
    readonly key: string,
  ) {}

  /** @returns undefined where no filter applies to answers */
  static of(organizationId: string, filters: ContentFilters, engine: ContentEngine): AnswerFilters | undefined {
    const policy = answerPolicyOf(organizationId, filters, engine);
    return policy && new AnswerFilters(policy, engine, organizationId, keyOf(filters));
  }

  /** Whether some filter has to see a text to its end before any of it leaves. */
  get holdsWholeText(): boolean {
    return ANSWER_PLACES.some((place) => {
      const policy = this.policy[place];
      return policy?.enforcing !== undefined && policy.bounded === undefined;
    });
  }

  /** Begins to apply them to an answer. @param signal ends the work when the client is gone */
  inspection(signal: AbortSignal): AnswerInspection {
    return new AnswerInspection(this.policy, this.engine, this.organizationId, signal);
  }
}

function keyOf({ contentFilterBuiltins, contentFilters }: ContentFilters): string {
  return JSON.stringify([
    contentFilterBuiltins.map(({ slug, action, applies_to: places }) => [slug, action, places]),
    contentFilters.map(({ pattern, action, label, applies_to: places }) => [pattern, action, label, places]),
  ]);
}
