import type { QueryRunner } from 'typeorm';

/** Over how many rows one count is spread. */
const SLOTS = 16;

/** The scope of a list that an organization has. */
export const ORGANIZATION_SCOPE = 'organization_id';

/** The scope of a list that a workspace of an organization has. */
export const WORKSPACE_SCOPE = "organization_id || '/' || workspace_id";

/** A list whose rows triggers count. A row never moves from one scope to another, so updates count nothing. */
export interface CountedList {
  readonly table: string;
  /** An expression over the table's columns; rows for which it is null are in no list. */
  readonly scope: string;
  /** The scope of a second list that every row is in as well. */
  readonly secondScope?: string;
}

/** Counts a list from now on, for a migration. */
export async function countList(runner: QueryRunner, list: CountedList): Promise<void> {
  const { table } = list;
  const there = rowsByScope(list, table);
  const changed = rowsByScope(list, 'changed');
  // Nobody writes between the count and the triggers that keep it from then on.
  await runner.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  await runner.query(`INSERT INTO list_counts (list, scope, slot, row_count)
        SELECT '${table}', ${there.scope}, 0, count(*)
        FROM ${there.rows} WHERE ${there.scope} IS NOT NULL GROUP BY ${there.scope}`);
  await runner.query(`CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO list_counts AS known (list, scope, slot, row_count)
          SELECT '${table}', ${changed.scope}, pg_backend_pid() % ${SLOTS},
            CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
          FROM ${changed.rows} WHERE ${changed.scope} IS NOT NULL GROUP BY ${changed.scope} ORDER BY ${changed.scope}
          ON CONFLICT (list, scope, slot) DO UPDATE SET row_count = known.row_count + excluded.row_count;
          RETURN NULL;
        END $$`);
  await runner.query(`CREATE TRIGGER count_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_${table}()`);
  await runner.query(`CREATE TRIGGER count_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_${table}()`);
}

/** Takes back what {@link countList} has made, but for the counts. */
export async function stopCountingList(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`DROP TRIGGER count_deleted ON ${table}`);
  await runner.query(`DROP TRIGGER count_inserted ON ${table}`);
  await runner.query(`DROP FUNCTION count_${table}()`);
}

/** The rows of a table, once for each list that they are in, and by what these are told apart. */
function rowsByScope({ scope, secondScope }: CountedList, table: string): { rows: string; scope: string } {
  if (secondScope === undefined) return { rows: table, scope };
  const scopes = `CROSS JOIN LATERAL (VALUES (${scope}), (${secondScope})) AS list (scope)`;
  return { rows: `${table} ${scopes}`, scope: 'list.scope' };
}
