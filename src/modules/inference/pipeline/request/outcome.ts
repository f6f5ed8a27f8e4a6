import type {
  AnswerFilteringReport,
  ObservedGuardrail,
  ProviderAttempt,
} from '../../../generations/generation-details.js';
import { ProviderFilters } from '../../../codecs/chat/provider-filters.js';
import type { Finding } from '../../../content/content-result.js';
import type { AmountsOfProcess } from '../../../spend/admission-request.js';
import type { AttemptCharge } from '../cost/attempt-charge.js';
import type { PluginStage } from './plugins.js';

/** What becomes of a request while candidates are asked. */
export class Outcome {
  readonly attempts: ProviderAttempt[] = [];
  /** What attempts are charged that were given up. */
  readonly givenUp: AttemptCharge[] = [];
  readonly pluginStages: PluginStage[] = [];
  /** What filters have found in the answer. */
  findings: readonly Finding[] = [];
  /** What filters of guardrails that only observe would have done to the answer. */
  observed: readonly ObservedGuardrail[] = [];
  /** What the filters of answers took; undefined where none applied. */
  filtering: AnswerFilteringReport | undefined;
  /** What the filters of providers have said. */
  readonly providerFilters = new ProviderFilters();
  /** What is reserved since a further attempt was made; undefined while that is what the admission has reserved. */
  raised: AmountsOfProcess | undefined;
  /** Whether its record is on its way, perhaps after the answer. */
  isSettled = false;
  private firstTokenAt: number | undefined;

  /** Notes the time of the first token. */
  answering(): void {
    this.firstTokenAt ??= performance.now();
  }

  /** The time to the first token since a time of `performance.now()`, in milliseconds; undefined without one. */
  latencySince(startedAt: number): number | undefined {
    return this.firstTokenAt === undefined ? undefined : this.firstTokenAt - startedAt;
  }
}
