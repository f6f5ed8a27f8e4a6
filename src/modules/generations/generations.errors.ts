import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The organization has no such generation, or the caller may not see it. */
export class GenerationNotFound extends defineError(404, 'generation_not_found') {}

/** The content of the generation is not kept: its workspace does not have it logged, or it was refused before it was scanned. */
export class GenerationContentNotFound extends defineError(404, 'generation_content_not_found') {}

/** A list of generations is continued with a text that is no cursor. */
export const INVALID_CURSOR = new IssueKind('invalid_cursor', 'must be the next_cursor of an earlier page');
