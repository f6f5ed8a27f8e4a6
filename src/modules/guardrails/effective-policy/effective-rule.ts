/** A combined rule, and the guardrails that it comes from. The value is null if no guardrail sets it. */
export interface EffectiveRule<T> {
  readonly value: T | null;
  readonly guardrailIds: readonly string[];
}

/** A content filter, and the guardrails that have it. */
export type SharedFilter<Filter> = Filter & { readonly guardrailIds: readonly string[] };
