import type { ConfigurationPlan } from './plan/configuration-plan.js';
import type { IssuedSecretOfKey } from './plan/planning.js';

/** What has been applied. */
export interface AppliedConfiguration {
  readonly plan: ConfigurationPlan;
  /** Whether it had been applied before, so that nothing was done. */
  readonly wasApplied: boolean;
  readonly issued: readonly IssuedSecretOfKey[];
}
