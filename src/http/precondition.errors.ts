import { defineError } from './errors/define-error.js';
import { IssueKind } from './errors/issue-kind.js';

/** The header If-Match is no list of entity tags. */
export const MALFORMED_IF_MATCH = new IssueKind(
  'malformed_if_match',
  'must be * or a list of entity tags in quotation marks',
);

/** The object is not as the caller knows it: it has another entity tag than those in If-Match. */
export class PreconditionFailed extends defineError(412, 'precondition_failed') {
  /** @param entityTag of the object as it is now; undefined if there is none yet */
  constructor(readonly entityTag: string | undefined) {
    super({ etag: entityTag ?? null });
  }
}
