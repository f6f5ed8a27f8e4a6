import {
  BUILTIN_PLACEHOLDERS,
  type BuiltinFilter,
  type CustomFilter,
  DEFAULT_PLACES,
  type FilterAction,
  type FilterPlace,
} from '../content-filters.js';
import type { FilterName, ScannedText } from '../content-result.js';

/** The placeholder for matches of a custom filter without a label, and the name of such a filter in a refusal. */
const UNLABELLED_PLACEHOLDER = '[REDACTED]';
const UNLABELLED_REFUSAL = '[BLOCKED]';

/** What a filter does, whatever it looks for. */
export interface FilterRule {
  readonly name: FilterName;
  readonly action: FilterAction;
  readonly guardrailIds: readonly string[];
  /** The places whose texts it looks through. */
  readonly places: readonly FilterPlace[];
  /** What a redaction puts in the place of a match. */
  readonly placeholder: string;
  /** What a refusal names. */
  readonly label: string;
}

/** The rule of a builtin filter. */
export function builtinRule({
  slug,
  action,
  guardrailIds,
  applies_to: places = DEFAULT_PLACES,
}: BuiltinFilter): FilterRule {
  const placeholder = BUILTIN_PLACEHOLDERS[slug];
  return { name: { slug }, action, guardrailIds, places, placeholder, label: placeholder };
}

/** The rule of a custom filter. @param index its position in the policy, unless it says another one */
export function customRule(
  { action, guardrailIds, label, position, applies_to: places = DEFAULT_PLACES }: CustomFilter,
  index: number,
): FilterRule {
  // An empty label would take a match out without a trace.
  const given = label === undefined || label === '' ? null : label;
  return {
    name: { custom: position ?? index, label: given },
    action,
    guardrailIds,
    places,
    placeholder: given ?? UNLABELLED_PLACEHOLDER,
    label: given ?? UNLABELLED_REFUSAL,
  };
}

/** Whether a rule looks through a text of a request. */
export function looksThrough({ places }: FilterRule, text: Pick<ScannedText, 'role'>): boolean {
  return places.includes(placeOf(text));
}

/** The place of a text of a request: what tools have answered is apart from all else. */
export function placeOf({ role }: Pick<ScannedText, 'role'>): FilterPlace {
  return role === 'tool' ? 'tool_result' : 'request';
}
