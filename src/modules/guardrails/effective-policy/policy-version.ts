/** What tells one state of a guardrail from another. */
interface VersionedRow {
  readonly id: string;
  /** The transaction that wrote it. */
  readonly version: string;
}

/**
 * The version of the guardrails that apply to a key: it differs whenever one of them has changed, or another one applies. One
 * that applies for several reasons counts once, so that keys under the same guardrails share a version.
 */
export function policyVersionOf(guardrails: readonly VersionedRow[]): string {
  return [...new Set(guardrails.map(({ id, version }) => `${id} ${version}`))].sort().join();
}
