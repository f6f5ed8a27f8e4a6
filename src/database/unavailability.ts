import { QueryFailedError } from 'typeorm';
import { ServiceUnavailableError } from '../http/errors/domain-error.js';
import { ConnectionsInUse, DatabaseUnreachable } from './database-failures.js';
import { errorCode } from './system-error.js';

/** SQLSTATE of a server that is gone, ends, starts, has no connection left, or accepts no writes. */
const UNAVAILABLE = /^(08...|53300|57P0[1-5]|25006)$/;

/** SQLSTATE of a wait for a lock that took too long, and of what other transactions have ended again and again. */
const BUSY = new Set(['55P03', '40001', '40P01']);

/** When another attempt is worthwhile, in seconds: a failover takes some, a lock is held for less than one. */
const RETRY_AFTER_UNAVAILABLE = 5;
const RETRY_AFTER_BUSY = 1;

/**
 * The error for a database that cannot be used for a while.
 *
 * @param thrown whatever a database call threw
 * @returns undefined when it is anything else
 */
export function unavailabilityOf(thrown: unknown): ServiceUnavailableError | undefined {
  const cause: unknown = thrown instanceof QueryFailedError ? thrown.driverError : thrown;
  const code = errorCode(cause) ?? '';
  if (cause instanceof DatabaseUnreachable || UNAVAILABLE.test(code)) {
    return new ServiceUnavailableError('database_unavailable', RETRY_AFTER_UNAVAILABLE);
  }
  if (cause instanceof ConnectionsInUse || BUSY.has(code)) {
    return new ServiceUnavailableError('database_busy', RETRY_AFTER_BUSY);
  }
  return undefined;
}
