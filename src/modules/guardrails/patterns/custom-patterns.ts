import { joinPath } from '../../../http/errors/issue.js';
import { MAXIMUM_PATTERN_LENGTH } from '../content-filters.js';
import { filterEntriesOf } from '../filter-entries.js';

/** A pattern of a custom filter, and where in the body it stands. */
export interface CustomPattern {
  readonly path: string;
  readonly pattern: string;
}

/** The patterns of a body of any form. Other types and other lengths are left to the schema, which refuses them. */
export function customPatternsOf(body: Readonly<Record<string, unknown>>): CustomPattern[] {
  return filterEntriesOf(body, 'content_filters').flatMap(({ path, entry: { pattern } }) =>
    typeof pattern === 'string' && pattern !== '' && pattern.length <= 2 * MAXIMUM_PATTERN_LENGTH
      ? [{ path: joinPath(path, 'pattern'), pattern }]
      : [],
  );
}
