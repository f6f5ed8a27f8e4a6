import type { Pool } from 'pg';
import { leaveErrorToStatement } from './connection-errors.js';
import { boundedQuery } from './bounded-query.js';
import { DatabaseUnreachable, isSentByPostgres } from './database-failures.js';
import { ServiceClient } from './service-client.js';
import { TimeLimits } from './time-limits.js';

/** How long after one look at the database the next one comes, in milliseconds. */
const PAUSE_MS = 300;

/**
 * Waits for what the database works on, but no longer than the database is there: PostgreSQL says nothing while it works,
 * and nothing either when it has stopped. So it is asked something else meanwhile, on a connection of its own.
 *
 * @param work what is waited for; whoever gave it has to end it when this fails
 */
export async function whileDatabaseIsThere<T>(pool: Pool, work: Promise<T>): Promise<T> {
  let next: NodeJS.Timeout | undefined;
  let isWaitedFor = true;
  const gone = new Promise<never>((_resolve, reject) => {
    // A timer alone, to begin with: nearly all work is done before the first question.
    const askLater = (): void => {
      if (isWaitedFor) next = setTimeout(() => void ask(pool).then(askLater, reject), PAUSE_MS);
    };
    askLater();
  });
  try {
    return await Promise.race([work, gone]);
  } finally {
    isWaitedFor = false;
    clearTimeout(next);
  }
}

/** Fails when nobody answers. Not on a connection of the pool: that none is free says nothing of the database. */
async function ask(pool: Pool): Promise<void> {
  const { answer, connection } = TimeLimits.of(pool);
  const client = new ServiceClient({ ...pool.options, openingTimeoutMillis: connection });
  client.on('error', leaveErrorToStatement);
  try {
    await client.connect();
    await boundedQuery(client, { text: 'SELECT 1' }, answer);
  } catch (error) {
    if (!isSentByPostgres(error)) throw DatabaseUnreachable.because(error);
  } finally {
    // Not waited for: where nobody answers, nobody says goodbye either.
    void client.end();
  }
}
