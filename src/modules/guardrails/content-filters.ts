/** The builtin filters (SERVICE.md, section 2.2; DECISIONS.md, section 4) with the label that the system gives each. */
export const BUILTIN_FILTER_LABELS = {
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

export type BuiltinFilterSlug = keyof typeof BUILTIN_FILTER_LABELS;

export const BUILTIN_FILTER_SLUGS = Object.keys(BUILTIN_FILTER_LABELS) as BuiltinFilterSlug[];

/** The one builtin filter whose scan scope has an effect. */
export const SCOPED_BUILTIN_FILTER: BuiltinFilterSlug = 'regex-prompt-injection';

/** What a filter does with what it finds; flag only reports it. */
export const FILTER_ACTIONS = ['redact', 'block', 'flag'] as const;

export type FilterAction = (typeof FILTER_ACTIONS)[number];

/** Which messages of a request the prompt injection filter reads. */
export const SCAN_SCOPES = ['user_only', 'all_messages'] as const;

export type ScanScope = (typeof SCAN_SCOPES)[number];

/** A builtin filter as it is kept: the label is the system's and not kept. */
export interface StoredBuiltinFilter {
  readonly slug: BuiltinFilterSlug;
  readonly action: FilterAction;
  readonly scan_scope?: ScanScope;
}

/** A custom filter as it is kept. An absent label stays absent. */
export interface StoredCustomFilter {
  readonly pattern: string;
  readonly action: FilterAction;
  readonly label?: string | null;
}

/** The longest pattern of a custom filter, in code points (DECISIONS.md, section 4). */
export const MAXIMUM_PATTERN_LENGTH = 100_000;

/** How many custom filters a guardrail has at most: each is matched against every request that the guardrail applies to. */
export const MAXIMUM_CUSTOM_FILTERS = 1_000;

/**
 * How long the patterns and labels of a guardrail's custom filters may be together, in code points: room for the longest
 * pattern, and for a thousand filters of 131 characters. A page of lists and the audit trail hold many guardrails.
 */
export const MAXIMUM_CUSTOM_FILTER_TEXT = 131_072;
