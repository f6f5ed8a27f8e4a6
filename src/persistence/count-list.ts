import { Column, Entity, PrimaryColumn, type QueryRunner } from 'typeorm';
import { Distributed } from './distribution.js';

/**
 * The number of rows of a list, maintained by triggers so that a page has its total without counting. The count is the sum
 * of several slots; each connection uses one of them, so that writers of the same list seldom wait for each other.
 */
@Entity({ name: 'list_counts' })
@Distributed('organization')
export class ListCountEntity {
  @PrimaryColumn({ type: 'text' })
  organizationId: string;

  /** The table. */
  @PrimaryColumn({ type: 'text' })
  list: string;

  /** The organization, or the organization and the workspace separated by a slash. */
  @PrimaryColumn({ type: 'text' })
  scope: string;

  @PrimaryColumn({ type: 'smallint' })
  slot: number;

  @Column({ type: 'bigint' })
  rowCount: string;
}

/** The number of rows that each count is spread over. */
const SLOTS = 16;

/** The scope of a list with one instance per organization. */
export const ORGANIZATION_SCOPE = 'organization_id';

/** The scope of a list with one instance per workspace. */
export const WORKSPACE_SCOPE = "organization_id || '/' || workspace_id";

/** A list whose rows triggers count. A row never moves from one scope to another, so updates count nothing. */
export interface CountedList {
  readonly table: string;
  /** An expression over the table's columns; rows for which it is null are in no list. */
  readonly scope: string;
  /** The scope of a second list that every row is in as well. */
  readonly secondScope?: string;
}

/** Adds triggers that count the rows of a list from now on; for migrations. */
export async function countList(runner: QueryRunner, list: CountedList): Promise<void> {
  const { table } = list;
  const there = rowsByScope(list, table);
  // Blocks writes between the initial count and the creation of the triggers that maintain it.
  await runner.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
  await runner.query(`INSERT INTO list_counts (organization_id, list, scope, slot, row_count)
        SELECT organization_id, '${table}', ${there.scope}, 0, count(*)
        FROM ${there.rows} WHERE ${there.scope} IS NOT NULL GROUP BY organization_id, ${there.scope}`);
  await runner.query(countFunction(list));
  await runner.query(`CREATE TRIGGER count_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_${table}()`);
  await runner.query(`CREATE TRIGGER count_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_${table}()`);
}

/**
 * The function that the triggers of a counted list execute. It reads the changed rows first, because a node of a distributed database that
 * has the counts does not know which rows of a list changed (docs/scaling.md).
 */
function countFunction({ table, ...list }: CountedList): string {
  const changed = rowsByScope({ table, ...list }, 'changed');
  const by = `organization_id, ${changed.scope}`;
  return `CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          own_slot smallint := pg_backend_pid() % ${SLOTS};
          counted record;
        BEGIN
          FOR counted IN
            SELECT organization_id, ${changed.scope} AS scope, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END AS change
            FROM ${changed.rows} WHERE ${changed.scope} IS NOT NULL GROUP BY ${by} ORDER BY ${by}
          LOOP
            INSERT INTO list_counts AS known (organization_id, list, scope, slot, row_count)
            VALUES (counted.organization_id, '${table}', counted.scope, own_slot, counted.change)
            ON CONFLICT (organization_id, list, scope, slot) DO UPDATE SET row_count = known.row_count + excluded.row_count;
          END LOOP;
          RETURN NULL;
        END $$`;
}

/** Reverts {@link countList}, except for the stored counts. */
export async function stopCountingList(runner: QueryRunner, table: string): Promise<void> {
  await runner.query(`DROP TRIGGER count_deleted ON ${table}`);
  await runner.query(`DROP TRIGGER count_inserted ON ${table}`);
  await runner.query(`DROP FUNCTION count_${table}()`);
}

/** Selects the rows of a table, once for each list that they are in, with the scope of that list. */
function rowsByScope({ scope, secondScope }: CountedList, table: string): { rows: string; scope: string } {
  if (secondScope === undefined) return { rows: table, scope };
  const scopes = `CROSS JOIN LATERAL (VALUES (${scope}), (${secondScope})) AS list (scope)`;
  return { rows: `${table} ${scopes}`, scope: 'list.scope' };
}
