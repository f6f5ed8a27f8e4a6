import pg from 'pg';
import type { TestApplication } from '../application/test-application.js';
import { until } from '../time/until.js';

/**
 * Locks rows as another transaction does, to bring requests into an order that they take by chance otherwise.
 *
 * @param statement a SELECT ... FOR UPDATE
 * @returns lets go of the rows
 */
export async function lockRows(
  app: TestApplication,
  statement: string,
  values: readonly unknown[],
): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query(statement, [...values]);
  return () => client.end();
}

/** Waits until so many statements of the application's database wait for a lock. */
export async function untilWaitingForLock(app: TestApplication, count: number): Promise<void> {
  await until(async () => {
    const waiting = await app.rows(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return waiting.length >= count;
  });
}
