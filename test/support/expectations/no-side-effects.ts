import type { TestApplication } from '../application/test-application.js';

/** How many rows each table has. */
export async function rowCounts(app: TestApplication): Promise<Record<string, number>> {
  const tables = await app.rows<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const [row] = await app.rows<{ count: string }>(`SELECT count(*) FROM ${name}`);
    counts[name] = Number(row!.count);
  }
  return counts;
}

/** Runs what must leave nothing behind: no row more or less, no prototype changed, and a service that answers. */
export async function expectNoSideEffects(app: TestApplication, attack: () => Promise<void>): Promise<void> {
  const before = await rowCounts(app);
  await attack();
  expect(await rowCounts(app)).toEqual(before);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(PROTOTYPE_NAMES);
  const health = await fetch(`${app.origin}/health/ready`);
  expect(health.status).toBe(200);
}

const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype);
