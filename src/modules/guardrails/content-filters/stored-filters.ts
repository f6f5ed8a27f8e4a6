import {
  BUILTIN_PLACEHOLDERS,
  type BuiltinSlug,
  type FilterAction,
  type Placement,
} from '../../content/content-filters.js';

/** The label that the system gives each builtin filter: what stands in place of a match (docs/interface/guardrails.md#builtin-filters). */
export const BUILTIN_FILTER_LABELS = BUILTIN_PLACEHOLDERS;

export type BuiltinFilterSlug = BuiltinSlug;

export const BUILTIN_FILTER_SLUGS = Object.keys(BUILTIN_FILTER_LABELS) as BuiltinFilterSlug[];

/** The one builtin filter whose scan scope has an effect. */
export const SCOPED_BUILTIN_FILTER: BuiltinFilterSlug = 'regex-prompt-injection';

/** The messages of a request that the prompt injection filter scans. */
export const SCAN_SCOPES = ['user_only', 'all_messages'] as const;

export type ScanScope = (typeof SCAN_SCOPES)[number];

/** A builtin filter as stored, without its label, which the system assigns. */
export interface StoredBuiltinFilter extends Placement {
  readonly slug: BuiltinFilterSlug;
  readonly action: FilterAction;
  readonly scan_scope?: ScanScope;
}

/** A custom filter as stored. An absent label stays absent. */
export interface StoredCustomFilter extends Placement {
  readonly pattern: string;
  readonly action: FilterAction;
  readonly label?: string | null;
  /** Kept, because finding it out takes as long as the pattern is. */
  readonly holds_whole_text?: true;
}

/** The longest pattern of a custom filter, in code points (docs/interface/guardrails.md#custom-filters). */
export const MAXIMUM_PATTERN_LENGTH = 100_000;

/**
 * The maximum number of custom filters of a guardrail: each is matched against every request that the guardrail applies to.
 */
export const MAXIMUM_CUSTOM_FILTERS = 1_000;

/**
 * The maximum total length of the patterns and labels of a guardrail's custom filters, in code points: enough for the
 * longest pattern, or for a thousand filters of 131 characters. Bounded because pages of lists and the audit trail contain
 * many guardrails.
 */
export const MAXIMUM_CUSTOM_FILTER_TEXT = 131_072;

/** How deep groups of a pattern may stand in groups; the engine looks at them recursively. */
export const MAXIMUM_PATTERN_DEPTH = 100;

/** The greatest size of a pattern, and of all patterns of a request together (docs/adr/0012-patterns.md). */
export const MAXIMUM_PATTERN_SIZE = 12_000;
export const MAXIMUM_PATTERNS_SIZE = 60_000;

/** Patterns of this size together are compiled in less than a millisecond, which is less than asking a thread takes. */
export const COMPILED_AT_ONCE_SIZE = 100;
