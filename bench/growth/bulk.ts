/** What runs statements of a benchmark or a test. */
export type RunStatement = (text: string) => Promise<unknown>;

/**
 * Runs statements that insert many rows: where that is permitted without the triggers that check each row, but with those
 * that count lists and keep the totals of what keys have spent.
 */
export async function insertBulk(run: RunStatement, statements: readonly string[]): Promise<void> {
  await run('BEGIN');
  await run(
    `SELECT set_config('session_replication_role', 'replica', true) FROM pg_roles WHERE rolname = current_user AND rolsuper`,
  );
  await setDerivingTriggers(run, 'ENABLE ALWAYS');
  for (const statement of statements) await run(statement);
  await setDerivingTriggers(run, 'ENABLE');
  await run('COMMIT');
  await run('VACUUM ANALYZE');
}

/** Sets when rows are derived from new ones: `ENABLE ALWAYS` where other triggers are left out as well. */
async function setDerivingTriggers(run: RunStatement, mode: 'ENABLE' | 'ENABLE ALWAYS'): Promise<void> {
  await run(`DO $$
    DECLARE
      deriving record;
    BEGIN
      FOR deriving IN
        SELECT tgrelid::regclass AS source, tgname FROM pg_trigger WHERE tgname IN ('count_inserted', 'add_day_to_totals')
      LOOP
        EXECUTE format('ALTER TABLE %s ${mode} TRIGGER %I', deriving.source, deriving.tgname);
      END LOOP;
    END $$`);
}

/** An expression for the id of a row: rising with its number, as those of the service rise with time. */
export function idOf(table: number, number: string): string {
  return `('${table.toString(16).padStart(8, '0')}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}
