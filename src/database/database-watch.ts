import pg from 'pg';
import { ANSWER_TIMEOUT_MS } from './connection-options.js';

/** How long after one look at the database the next one comes, in milliseconds. */
const PAUSE_MS = 300;

/**
 * Waits for what the database works on, but no longer than the database is there: PostgreSQL says nothing while it works,
 * and nothing either when it has stopped. So it is asked something else meanwhile, on a connection of its own.
 *
 * @param work what is waited for; whoever gave it has to end it when this fails
 */
export async function whileDatabaseIsThere<T>(pool: pg.Pool, work: Promise<T>): Promise<T> {
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
async function ask({ options }: pg.Pool): Promise<void> {
  const client = new pg.Client(options);
  client.on('error', isToldByQuestion);
  try {
    await client.connect();
    // The driver takes the time from the statement; its types do not know.
    await client.query({ text: 'SELECT 1', query_timeout: ANSWER_TIMEOUT_MS } as pg.QueryConfig);
  } catch (error) {
    if (!isToldByPostgres(error)) throw error;
  } finally {
    // Not waited for: where nobody answers, nobody says goodbye either.
    void client.end();
  }
}

/** A connection that breaks fails what is asked on it, and nobody else need hear of it. */
function isToldByQuestion(): void {
  // An event of this name that nobody listens to would end the process.
}

/** Whether PostgreSQL has refused: then it is there, though it may have no connection left. */
function isToldByPostgres(failure: unknown): boolean {
  return failure instanceof Error && 'severity' in failure;
}
