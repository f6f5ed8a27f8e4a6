import type { RetryLaterError } from './domain-error.js';
import { DatabaseBusy, DatabaseUnavailable } from './request.errors.js';
import { ConnectionsInUse, DatabaseUnreachable, errorCode } from '../../persistence/database-failures.js';

/** SQLSTATEs of a server that is unreachable, stopping or starting, has no free connection, or accepts no writes. */
const UNAVAILABLE = /^(08...|53300|57P0[1-5]|25006)$/;

/**
 * SQLSTATEs of a lock timeout, of repeated serialization failures and deadlocks, and of a statement timeout: the statement
 * has changed nothing and may be repeated.
 */
const BUSY = new Set(['55P03', '40001', '40P01', '57014']);

/** The Retry-After of each case, in seconds: a failover takes a few, a lock is held for less than one. */
const RETRY_AFTER_UNAVAILABLE = 5;
const RETRY_AFTER_BUSY = 1;

/**
 * The error for a database that is temporarily unavailable.
 *
 * @param thrown what a database call threw
 * @returns undefined for any other error
 */
export function unavailabilityOf(thrown: unknown): RetryLaterError | undefined {
  const code = errorCode(thrown) ?? '';
  if (thrown instanceof DatabaseUnreachable || UNAVAILABLE.test(code)) {
    return new DatabaseUnavailable(RETRY_AFTER_UNAVAILABLE);
  }
  if (thrown instanceof ConnectionsInUse || BUSY.has(code)) {
    return new DatabaseBusy(RETRY_AFTER_BUSY);
  }
  return undefined;
}
