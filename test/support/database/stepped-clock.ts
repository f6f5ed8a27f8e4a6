import { ConnectionPool } from '../../../src/persistence/connection-pool.js';
import type { TestApplication } from '../application/test-application.js';
import { until } from '../time/until.js';

/**
 * Gives the database of an application and its replicas a clock that the test steps, as a server does that was suspended, or that takes over with another
 * clock: `now()` of the service's statements. The connections that are open end.
 *
 * @returns steps the clock, forward or back, by a number of seconds
 */
export async function steppedClock(
  app: TestApplication,
  ...replicas: TestApplication[]
): Promise<(seconds: number) => Promise<void>> {
  await app.rows(`CREATE SCHEMA clock;
    CREATE TABLE clock.steps (seconds integer NOT NULL);
    CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE
      AS $$ SELECT pg_catalog.now() + (SELECT coalesce(sum(seconds), 0) FROM clock.steps) * interval '1 second' $$;
    GRANT USAGE ON SCHEMA clock TO PUBLIC;
    GRANT SELECT ON clock.steps TO PUBLIC;
    DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET search_path = public, clock, pg_catalog', current_database());
    END $$`);
  await app.rows(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  );
  for (const { application } of [app, ...replicas]) {
    await until(() => Promise.resolve(application.get(ConnectionPool).open === 0));
  }
  return async (seconds) => {
    await app.rows('INSERT INTO clock.steps VALUES ($1)', [seconds]);
  };
}
