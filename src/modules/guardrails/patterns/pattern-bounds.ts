/** How deep groups of a pattern may stand in groups; the engine looks at them recursively. */
export const MAXIMUM_PATTERN_DEPTH = 100;

/** The greatest size of a pattern, and of all patterns of a request together (docs/adr/0012-patterns.md). */
export const MAXIMUM_PATTERN_SIZE = 12_000;
export const MAXIMUM_PATTERNS_SIZE = 60_000;

/** Patterns of this size together are compiled in less than a millisecond, which is less than asking a thread takes. */
export const COMPILED_AT_ONCE_SIZE = 100;
