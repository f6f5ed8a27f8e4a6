import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { DatabaseUnusable, errorCode, errorMessage } from './database-failures.js';
import type { OpenDatabase } from './open-database.js';

/** The time between two attempts, in milliseconds. */
const PAUSE_MS = 1_000;

/** How often a wait is mentioned, in milliseconds. */
const REMINDER_MS = 10_000;

/** How long one attempt may take, in milliseconds. */
const ATTEMPT_MS = 5_000;

/**
 * What a server may answer that will be there in a moment (https://www.postgresql.org/docs/current/errcodes-appendix.html): class 08, too
 * many connections, and one that starts or shuts down.
 */
const PASSING_STATES = /^(08...|53300|57P0[1-3])$/;

/**
 * Waits until the database accepts connections, for the service and for migrations (docs/operations.md#start).
 *
 * @param database its URLs
 * @param longestWaitMs in milliseconds; 0 for a single attempt
 * @param log receives a line at the first failed attempt, when the cause changes, and every ten seconds
 * @throws DatabaseUnusable when the time is over, and at once for what waiting does not change, such as a wrong password
 */
export async function waitForDatabase(
  database: Pick<OpenDatabase, 'url' | 'migrationUrl'>,
  longestWaitMs: number,
  log: (message: string) => void,
): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  for (const one of new Set([database.migrationUrl, database.url])) await waitFor(one, deadline, longestWaitMs, log);
}

async function waitFor(
  url: string,
  deadline: number,
  longestWaitMs: number,
  log: (message: string) => void,
): Promise<void> {
  const address = addressOf(url);
  let mentioned: { readonly cause: string; readonly at: number } | undefined;
  for (;;) {
    const failure = await attempt(url);
    if (failure === undefined) return;
    const cause = causeOf(failure);
    if (!isPassing(failure)) throw new DatabaseUnusable(`PostgreSQL at ${address} refuses the connection: ${cause}`);
    const now = Date.now();
    if (now >= deadline) {
      const waited = longestWaitMs === 0 ? '' : `, after ${longestWaitMs / 1000} s (DATABASE_WAIT_MS)`;
      throw new DatabaseUnusable(`PostgreSQL at ${address} cannot be reached${waited}: ${cause}`);
    }
    if (mentioned?.cause !== cause || now - mentioned.at >= REMINDER_MS) {
      const left = Math.ceil((deadline - now) / 1000);
      log(`waiting up to ${left} s for PostgreSQL at ${address}: ${cause}`);
      mentioned = { cause, at: now };
    }
    await delay(Math.min(PAUSE_MS, deadline - now));
  }
}

/** Connects once. @returns why that failed; undefined if it did not */
async function attempt(url: string): Promise<unknown> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'gatehouse start',
    connectionTimeoutMillis: ATTEMPT_MS,
  });
  // A connection that ends while it is closed is no failure.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether it may be different in a moment. What PostgreSQL or TLS has not refused is a matter of the network. */
function isPassing(failure: unknown): boolean {
  const code = errorCode(failure);
  if (code === undefined) return !/\b(SSL|SASL|SCRAM|password)\b/i.test(errorMessage(failure));
  if (/^[0-9A-Z]{5}$/.test(code)) return PASSING_STATES.test(code);
  return /^(E[A-Z_]+)$/.test(code) && !/^(EPROTO|ERR_)/.test(code);
}

/** The error for a host with several addresses has no message of its own. */
function causeOf(failure: unknown): string {
  const errors: unknown[] = failure instanceof AggregateError ? failure.errors : [failure];
  return [...new Set(errors.map((error) => errorMessage(error) || (errorCode(error) ?? 'unknown cause')))].join('; ');
}

/** Host, port and name, without the password. */
function addressOf(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url });
  return `${host}:${port}/${database ?? ''}`;
}
