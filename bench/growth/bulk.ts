/** What runs statements of a benchmark or a test. */
export type RunStatement = (text: string) => Promise<unknown>;

/**
 * Runs statements that insert many rows: where that is permitted without the triggers that check each row, but with those
 * that count lists.
 */
export async function insertBulk(run: RunStatement, statements: readonly string[]): Promise<void> {
  await run('BEGIN');
  await run(
    `SELECT set_config('session_replication_role', 'replica', true) FROM pg_roles WHERE rolname = current_user AND rolsuper`,
  );
  await countLists(run, 'ENABLE ALWAYS');
  for (const statement of statements) await run(statement);
  await countLists(run, 'ENABLE');
  await run('COMMIT');
  await run('VACUUM ANALYZE');
}

/** Sets when new rows are counted: `ENABLE ALWAYS` where other triggers are left out as well. */
async function countLists(run: RunStatement, mode: 'ENABLE' | 'ENABLE ALWAYS'): Promise<void> {
  await run(`DO $$
    DECLARE
      list regclass;
    BEGIN
      FOR list IN SELECT tgrelid::regclass FROM pg_trigger WHERE tgname = 'count_inserted' LOOP
        EXECUTE format('ALTER TABLE %s ${mode} TRIGGER count_inserted', list);
      END LOOP;
    END $$`);
}

/** An expression for the id of a row: rising with its number, as those of the service rise with time. */
export function idOf(table: number, number: string): string {
  return `('${table.toString(16).padStart(8, '0')}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}
