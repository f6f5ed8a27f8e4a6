import { BUILTIN_PLACEHOLDERS, type BuiltinFilter, type CustomFilter, type FilterAction } from '../content-filters.js';
import type { FilterName } from '../content-result.js';

/** The placeholder for matches of a custom filter without a label, and the name of such a filter in a refusal. */
const UNLABELLED_PLACEHOLDER = '[REDACTED]';
const UNLABELLED_REFUSAL = '[BLOCKED]';

/** What a filter does, whatever it looks for. */
export interface FilterRule {
  readonly name: FilterName;
  readonly action: FilterAction;
  readonly guardrailIds: readonly string[];
  /** What a redaction puts in the place of a match. */
  readonly placeholder: string;
  /** What a refusal names. */
  readonly label: string;
}

/** The rule of a builtin filter. */
export function builtinRule({ slug, action, guardrailIds }: BuiltinFilter): FilterRule {
  const placeholder = BUILTIN_PLACEHOLDERS[slug];
  return { name: { slug }, action, guardrailIds, placeholder, label: placeholder };
}

/** The rule of a custom filter. @param index its position in the policy */
export function customRule({ action, guardrailIds, label }: CustomFilter, index: number): FilterRule {
  // An empty label would take a match out without a trace.
  const given = label === undefined || label === '' ? null : label;
  return {
    name: { custom: index, label: given },
    action,
    guardrailIds,
    placeholder: given ?? UNLABELLED_PLACEHOLDER,
    label: given ?? UNLABELLED_REFUSAL,
  };
}
