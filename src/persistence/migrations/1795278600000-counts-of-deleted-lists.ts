import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deletes the counts of lists with the workspace or guardrail that owns the lists. */
export class CountsOfDeletedLists1795278600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(REMOVE_COUNTS_OF_DELETED);
    for (const [owner, lists] of LISTS_BY_OWNER) {
      const names = lists.map((list) => `'${list}'`).join(', ');
      // Deferred to the commit: when the owner is deleted, the rows of its lists have yet to be deleted and counted.
      await runner.query(`CREATE CONSTRAINT TRIGGER remove_counts AFTER DELETE ON ${owner}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION remove_counts_of_deleted(${names})`);
      await runner.query(`DELETE FROM list_counts WHERE list IN (${names})
        AND scope LIKE '%/%' AND scope NOT IN (SELECT organization_id || '/' || id FROM ${owner})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [owner] of LISTS_BY_OWNER) await runner.query(`DROP TRIGGER remove_counts ON ${owner}`);
    await runner.query('DROP FUNCTION remove_counts_of_deleted');
  }
}

/** Removes the counts of the lists that a deleted row had. */
export const REMOVE_COUNTS_OF_DELETED = `CREATE FUNCTION remove_counts_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM list_counts WHERE list = ANY (TG_ARGV) AND scope = OLD.organization_id || '/' || OLD.id;
        RETURN NULL;
      END $$`;

/** The tables whose rows own lists, with the tables of the list rows. */
const LISTS_BY_OWNER = [
  ['workspaces', ['guardrails', 'observability_destinations', 'presets', 'workspace_members']],
  ['guardrails', ['guardrail_key_assignments', 'guardrail_member_assignments']],
] as const;
