import type { BenchDatabase } from '../support/database.js';

/** The lists that triggers count, and what they count by. */
const COUNTED_LISTS = [
  { table: 'organization_members', scope: 'organization_id' },
  { table: 'workspace_members', scope: "organization_id || '/' || workspace_id" },
  { table: 'guardrails', scope: "organization_id || '/' || workspace_id" },
  { table: 'scim_group_mappings', scope: 'organization_id' },
];

/**
 * Runs statements that insert many rows, without the triggers that check and count each, and counts once at the end.
 * Needs a superuser.
 */
export async function insertBulk(database: BenchDatabase, statements: readonly string[]): Promise<void> {
  await database.query('BEGIN');
  await database.query('SET LOCAL session_replication_role = replica');
  for (const statement of statements) await database.query(statement);
  await database.query('DELETE FROM list_counts');
  for (const { table, scope } of COUNTED_LISTS) {
    await database.query(
      `INSERT INTO list_counts (list, scope, slot, row_count)
       SELECT '${table}', ${scope}, 0, count(*) FROM ${table} WHERE ${scope} IS NOT NULL GROUP BY ${scope}`,
    );
  }
  await database.query('COMMIT');
  await database.query('VACUUM ANALYZE');
  // What is left to be written out would be while it is measured.
  await database.query('CHECKPOINT');
}

/** An expression for the id of a row: rising with its number, as those of the service rise with time. */
export function idOf(table: number, number: string): string {
  return `('${table.toString(16).padStart(8, '0')}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}
