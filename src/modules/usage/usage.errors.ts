import { defineError } from '../../http/errors/define-error.js';
import { IssueKind } from '../../http/errors/issue-kind.js';

/** A request for activity names a day that is not one of the last 30 completed ones. */
export const DATE_NOT_AVAILABLE = new IssueKind(
  'date_not_available',
  'must be one of the last 30 completed days in UTC, as YYYY-MM-DD',
);

/** The activity that a request asks for has more rows than one answer has. */
export const TOO_MANY_ROWS = new IssueKind(
  'too_many_rows',
  (maximum: number) => `has more than ${maximum} rows: ask for one date, workspace, key or member at a time`,
);

/** A query names a classifier. Gatehouse has none. */
export const UNKNOWN_CLASSIFIER = new IssueKind('classifier_not_found', 'is not a classifier of the organization');

/** A query of analytics reads more than it can within ANALYTICS_TIMEOUT_MS. */
export class AnalyticsTimeout extends defineError(408, 'analytics_timeout') {
  override get shownMessage(): string {
    return 'The query took too long. Ask for a shorter period or fewer dimensions, or filter by key or model.';
  }
}
