/** What a filter does with a match: take it out, refuse the request, or only report it. */
export const FILTER_ACTIONS = ['redact', 'block', 'flag'] as const;

export type FilterAction = (typeof FILTER_ACTIONS)[number];

/**
 * Where a filter applies (docs/interface/guardrails.md#where-filters-apply): to what a request says but the results of its tools, to what the
 * model says, to the arguments of the tools that it calls, and to the results of tools in a request.
 */
export const FILTER_PLACES = ['request', 'response', 'tool_call', 'tool_result'] as const;

export type FilterPlace = (typeof FILTER_PLACES)[number];

/** Where a filter applies that does not say it. */
export const DEFAULT_PLACES: readonly FilterPlace[] = ['request', 'tool_result'];

/** The places of the texts of a request. */
export const REQUEST_PLACES: readonly FilterPlace[] = ['request', 'tool_result'];

/** The places of the texts of an answer. */
export const ANSWER_PLACES = ['response', 'tool_call'] as const satisfies readonly FilterPlace[];

/** Where a filter applies, in one form: each place once, in the order of {@link FILTER_PLACES}, and absent for {@link DEFAULT_PLACES}. */
export interface Placement {
  readonly applies_to?: readonly FilterPlace[];
}

/** Writes places in the form of a {@link Placement}. @param places in any order, also repeated */
export function placementOf(places: readonly FilterPlace[] = DEFAULT_PLACES): Placement {
  const named = new Set(places);
  const ordered = FILTER_PLACES.filter((place) => named.has(place));
  return ordered.join() === DEFAULT_PLACES.join() ? {} : { applies_to: ordered };
}

/** Whether a filter applies to some of the places. */
export function appliesTo({ applies_to: places = DEFAULT_PLACES }: Placement, some: readonly FilterPlace[]): boolean {
  const named = new Set(places);
  return some.some((place) => named.has(place));
}

/** The builtin filters with the placeholder of each (docs/interface/content-filters.md#placeholders). */
export const BUILTIN_PLACEHOLDERS = {
  email: '[EMAIL]',
  phone: '[PHONE]',
  ssn: '[SSN]',
  'credit-card': '[CREDIT_CARD]',
  'ip-address': '[IP_ADDRESS]',
  secrets: '[SECRET]',
  'person-name': '[PERSON_NAME]',
  address: '[ADDRESS]',
  'regex-prompt-injection': '[PROMPT_INJECTION]',
} as const;

/** The name of a builtin filter. */
export type BuiltinSlug = keyof typeof BUILTIN_PLACEHOLDERS;

/** A builtin filter of a policy, and the guardrails that have it. */
export interface BuiltinFilter extends Placement {
  readonly slug: BuiltinSlug;
  readonly action: FilterAction;
  /** Of regex-prompt-injection: the messages that it scans. */
  readonly scan_scope?: 'user_only' | 'all_messages';
  readonly guardrailIds: readonly string[];
}

/** A custom filter of a policy, and the guardrails that have it. */
export interface CustomFilter extends Placement {
  /** RE2 syntax, as it was checked when the filter was created. */
  readonly pattern: string;
  readonly action: FilterAction;
  readonly label?: string | null;
  readonly guardrailIds: readonly string[];
  /** Its position in the policy, where it is one of some filters of it alone. */
  readonly position?: number;
}

/** The content filters of a policy, in each place each builtin once and each pattern once: an effective policy has this form. */
export interface ContentFilters {
  readonly contentFilterBuiltins: readonly BuiltinFilter[];
  readonly contentFilters: readonly CustomFilter[];
}
