import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the number of rows of each list, so that the total of a page costs the same however long the list is. */
export class CountLists1795240800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE list_counts (
      list text NOT NULL,
      scope text NOT NULL,
      slot smallint NOT NULL,
      row_count bigint NOT NULL,
      CONSTRAINT pk_list_counts PRIMARY KEY (list, scope, slot)
    )`);
    for (const { table, scope } of LISTS) {
      // Nobody writes between the count and the triggers that keep it from then on.
      await runner.query(`LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`);
      await runner.query(`INSERT INTO list_counts (list, scope, slot, row_count)
        SELECT '${table}', ${scope}, 0, count(*) FROM ${table} WHERE ${scope} IS NOT NULL GROUP BY ${scope}`);
      await runner.query(`CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO list_counts AS known (list, scope, slot, row_count)
          SELECT '${table}', ${scope}, pg_backend_pid() % ${SLOTS},
            CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE -count(*) END
          FROM changed WHERE ${scope} IS NOT NULL GROUP BY ${scope} ORDER BY ${scope}
          ON CONFLICT (list, scope, slot) DO UPDATE SET row_count = known.row_count + excluded.row_count;
          RETURN NULL;
        END $$`);
      await runner.query(`CREATE TRIGGER count_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_${table}()`);
      await runner.query(`CREATE TRIGGER count_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION count_${table}()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table } of [...LISTS].reverse()) {
      await runner.query(`DROP TRIGGER count_deleted ON ${table}`);
      await runner.query(`DROP TRIGGER count_inserted ON ${table}`);
      await runner.query(`DROP FUNCTION count_${table}()`);
    }
    await runner.query('DROP TABLE list_counts');
  }
}

/** Over how many rows one count is spread. */
const SLOTS = 16;

const ORGANIZATION = 'organization_id';

const WORKSPACE = "organization_id || '/' || workspace_id";

/** A row never moves from one scope to another, so updates count nothing. */
const LISTS = [
  { table: 'organization_members', scope: ORGANIZATION },
  { table: 'workspace_members', scope: WORKSPACE },
  { table: 'guardrails', scope: WORKSPACE },
  { table: 'scim_group_mappings', scope: ORGANIZATION },
];
