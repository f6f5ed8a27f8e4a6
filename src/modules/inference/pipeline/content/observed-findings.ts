import type { Finding } from '../../../content/content-result.js';
import type { ObservedGuardrail } from '../../../generations/generation-details.js';
import { isAsStrict } from '../../../guardrails/effective-policy/effective-policy.js';
import type { CompiledObserver, CompiledRules } from '../policy/compiled-policies.js';
import { observation } from '../request/decision.js';

/** Findings, and the rules that they are of. */
interface FindingsOf {
  readonly findings: readonly Finding[];
  readonly of: CompiledRules;
}

/** What an observing guardrail found beyond the rules in force: reported as flagged, whatever its filters would do. */
export interface SeenFindings {
  readonly findings: readonly Finding[];
  /** What it would have done; empty for nothing. */
  readonly observed: readonly ObservedGuardrail[];
}

/** What the content filters of a guardrail that only observes would have done. @param known what those in force have found */
export function seenBy(observer: CompiledObserver, found: readonly Finding[], known: FindingsOf): SeenFindings {
  const beyond = found.filter((finding) => isBeyond({ finding, of: observer }, known));
  const outcome = outcomeOf(beyond);
  return {
    findings: beyond.map((finding) => ({ ...finding, action: 'flag' as const })),
    observed: outcome === null ? [] : [observation(observer, outcome, 'content')],
  };
}

function outcomeOf(findings: readonly Finding[]): ObservedGuardrail['outcome'] | null {
  if (findings.some(({ action }) => action === 'block')) return 'refused';
  return findings.some(({ action }) => action === 'redact') ? 'redacted' : null;
}

/** Whether the filters that are in force have done less about what an observing guardrail found. */
function isBeyond(
  { finding, of: observer }: { readonly finding: Finding; readonly of: CompiledRules },
  { findings, of: policy }: FindingsOf,
): boolean {
  const name = filterKeyOf(finding, observer);
  const known = findings.filter(
    (one) => one.place === finding.place && filterKeyOf(one, policy) === name && isAsStrict(one.action, finding.action),
  );
  if (known.length === 0) return true;
  const [found, done] = [countsOf([finding]), countsOf(known)];
  return found.inRequest > done.inRequest || found.inToolResults > done.inToolResults;
}

/** How much findings are of in results of tools, and in the rest of a request: filters may apply to one of them alone. */
function countsOf(findings: readonly Finding[]): { readonly inRequest: number; readonly inToolResults: number } {
  const count = findings.reduce((sum, finding) => sum + finding.count, 0);
  const inToolResults = findings.reduce((sum, finding) => sum + (finding.inToolResults ?? 0), 0);
  return { inRequest: count - inToolResults, inToolResults };
}

/** What two filters of different guardrails have in common when they look for the same: the slug or the pattern. */
function filterKeyOf({ filter }: Finding, { rules }: CompiledRules): string {
  return 'slug' in filter ? filter.slug : `pattern ${rules.contentFilters[filter.custom]!.pattern}`;
}
