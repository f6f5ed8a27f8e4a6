import pg from 'pg';
import type { TestApplication } from './test-application.js';

/** Changes the database as a superuser does who knows how to keep triggers from firing. @param statements in one text */
export async function tamper(app: TestApplication, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: app.database.url });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const results = [await client.query(statements)].flat();
    for (const { command, rowCount } of results) {
      if (command !== 'ALTER') expect(rowCount).toBeGreaterThan(0);
    }
  } finally {
    await client.end();
  }
}
