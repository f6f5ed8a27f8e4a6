// The database says when, because the clocks of replicas may differ and lists are in the order of these times.

/** For new rows: when they were made. */
export const CREATED_NOW = { createdAt: 'now()' };

/** For new rows that also say when they were last changed. */
export const CREATED_AND_UPDATED_NOW = { createdAt: 'now()', updatedAt: 'now()' };

/**
 * When a row is changed: now, and not before its last change, which the statement may have waited for. Not now(), which is when the
 * transaction began, nor clock_timestamp(), which nodes of a distributed database would tell each by itself (docs/scaling.md).
 *
 * @param updatedAt the column as the statement names it
 */
export function changedNow(updatedAt = 'updated_at'): string {
  return `greatest(${updatedAt}, statement_timestamp())`;
}

/** For changed rows: {@link changedNow}. */
export const UPDATED_NOW = { updatedAt: changedNow() };
