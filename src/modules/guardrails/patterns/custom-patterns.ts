import { joinPath } from '../../../http/errors/issue.js';
import { MAXIMUM_CUSTOM_FILTERS, MAXIMUM_PATTERN_LENGTH } from '../content-filters.js';
import { filterEntriesOf } from '../filter-entries.js';
import { boundedFilters } from '../guardrail-rules.js';

/** A pattern of a custom filter, and where in the body it stands. */
export interface CustomPattern {
  readonly path: string;
  readonly pattern: string;
}

/**
 * The patterns of a body of any form. Other types and other lengths are left to the schema, which refuses them, and so are
 * all patterns of a body with more filters, or larger ones, than a guardrail holds: none of them is worth compiling.
 */
export function customPatternsOf(body: Readonly<Record<string, unknown>>): CustomPattern[] {
  const entries = filterEntriesOf(body, 'content_filters');
  if (entries.length > MAXIMUM_CUSTOM_FILTERS || boundedFilters(body).length > 0) return [];
  return entries.flatMap(({ path, entry: { pattern } }) =>
    typeof pattern === 'string' && pattern !== '' && pattern.length <= 2 * MAXIMUM_PATTERN_LENGTH
      ? [{ path: joinPath(path, 'pattern'), pattern }]
      : [],
  );
}
