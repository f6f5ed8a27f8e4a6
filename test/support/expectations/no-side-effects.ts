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

/** The tables of records and of what they add up to: refusals of inference are recorded (docs/interface/generations.md). */
const RECORDS = /^(generations|usage_)/;

/** Runs an attack, and checks that it changed no table except records: no row more or less, no prototype changed, and a service that answers. */
export async function expectNoSideEffects(app: TestApplication, attack: () => Promise<void>): Promise<void> {
  const before = await unrecordedCounts(app);
  await attack();
  expect(await unrecordedCounts(app)).toEqual(before);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(PROTOTYPE_NAMES);
  const health = await fetch(`${app.origin}/health/ready`);
  expect(health.status).toBe(200);
}

async function unrecordedCounts(app: TestApplication): Promise<Record<string, number>> {
  const counts = Object.entries(await rowCounts(app));
  return Object.fromEntries(counts.filter(([table]) => !RECORDS.test(table)));
}

const PROTOTYPE_NAMES = Object.getOwnPropertyNames(Object.prototype);
