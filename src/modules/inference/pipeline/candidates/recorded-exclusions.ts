import { guardrailsBehind, type PolicyRefusal } from '../../../guardrails/effective-policy/permitted-models.js';
import type { RecordedExclusion } from '../../../generations/generation-details.js';
import { countedExclusions, EXCLUSION_BY_POLICY, EXCLUSIONS_IN_WORDS } from '../../../routing/endpoint-exclusion.js';
import type { Decision } from '../request/decision.js';

/** Why endpoints were excluded, and by which guardrails, as the record of a refusal has it. */
export function recordedExclusions({ excluded, policy }: Decision<unknown>): RecordedExclusion[] {
  // A request may ask for what a guardrail has rules about, too: only what these refuse counts.
  const refusals = new Set(
    excluded.flatMap(({ model, endpoint }) => policy?.refusalsOf(model, endpoint, endpoint.row.isZdr) ?? []),
  );
  const guardrailsOf = (refusal: PolicyRefusal): string[] => guardrailsBehind(policy!.rules, refusal);
  return countedExclusions(excluded.map(({ reasons }) => reasons)).map(({ exclusion, count }) => ({
    reason: exclusion,
    detail: EXCLUSIONS_IN_WORDS[exclusion],
    endpoints: count,
    guardrailIds: [...refusals].filter((refusal) => EXCLUSION_BY_POLICY[refusal] === exclusion).flatMap(guardrailsOf),
  }));
}
