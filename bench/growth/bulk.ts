/** The lists that triggers count, and what they count by. */
const COUNTED_LISTS = [
  { table: 'organization_members', scope: 'organization_id' },
  { table: 'workspace_members', scope: "organization_id || '/' || workspace_id" },
  { table: 'guardrails', scope: "organization_id || '/' || workspace_id" },
  { table: 'scim_group_mappings', scope: 'organization_id' },
];

/** What runs statements of a benchmark or a test. */
export type RunStatement = (text: string) => Promise<unknown>;

/**
 * Runs statements that insert many rows: without the triggers that check and count each, where that is permitted, and
 * with one count at the end instead.
 */
export async function insertBulk(run: RunStatement, statements: readonly string[]): Promise<void> {
  await run('BEGIN');
  await run(
    `SELECT set_config('session_replication_role', 'replica', true) FROM pg_roles WHERE rolname = current_user AND rolsuper`,
  );
  for (const statement of statements) await run(statement);
  await run('DELETE FROM list_counts');
  for (const { table, scope } of COUNTED_LISTS) {
    await run(
      `INSERT INTO list_counts (list, scope, slot, row_count)
       SELECT '${table}', ${scope}, 0, count(*) FROM ${table} WHERE ${scope} IS NOT NULL GROUP BY ${scope}`,
    );
  }
  await run('COMMIT');
  await run('VACUUM ANALYZE');
}

/** An expression for the id of a row: rising with its number, as those of the service rise with time. */
export function idOf(table: number, number: string): string {
  return `('${table.toString(16).padStart(8, '0')}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}
