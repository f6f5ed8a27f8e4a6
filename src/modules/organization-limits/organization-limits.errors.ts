import { defineRetryLaterError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** The organization has as many objects of a kind as it may have. */
export const QUOTA_EXCEEDED = new IssueKind(
  'quota_exceeded',
  (limit: number, what: string) => `there are already ${limit} ${what}, the maximum`,
);

/** Too many reads of large rows of the organization wait already. */
export class TooManyLargeLists extends defineRetryLaterError(429, 'too_many_large_lists') {}
