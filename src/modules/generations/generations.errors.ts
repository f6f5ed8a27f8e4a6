import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The organization has no such generation, or the caller may not see it. */
export class GenerationNotFound extends defineError(404, 'generation_not_found') {}

/** The content of the generation is not kept: its workspace does not have it logged, or it was refused before it was scanned. */
export class GenerationContentNotFound extends defineError(404, 'generation_content_not_found') {}

/** A table of generations would have too many rows, or too many records are looked at for it. */
export const TOO_MANY_GENERATIONS = new IssueKind(
  'too_many_rows',
  (rows: number, examined: number) =>
    `has more than ${rows} rows, or more than ${examined} records are looked at for it: ask for a shorter time with since and until`,
);

/** A list of generations is continued with a text that is no cursor. */
export const INVALID_CURSOR = new IssueKind('invalid_cursor', 'must be the next_cursor of an earlier page');
