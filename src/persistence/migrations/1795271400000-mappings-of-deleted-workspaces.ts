import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Skips the memberships of a workspace that is being deleted: the cascade deletes them, and computing their remaining roles
 * took a millisecond for every mapped group.
 */
export class MappingsOfDeletedWorkspaces1795271400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(CONVERGE_CHANGED_MAPPINGS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(convergeChangedMappings(''));
  }
}

/** Updates memberships after a change of mappings, except for those of workspaces that are being deleted. */
export const CONVERGE_CHANGED_MAPPINGS = convergeChangedMappings(`JOIN workspaces known
          ON known.organization_id = changed.organization_id AND known.id = changed.workspace_id`);

/** Updates memberships after a change of mappings. @param ofThose a condition on the changed mappings */
function convergeChangedMappings(ofThose: string): string {
  return `CREATE OR REPLACE FUNCTION converge_changed_scim_mappings() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      change record;
    BEGIN
      PERFORM 1 FROM workspaces known
        WHERE (known.organization_id, known.id) IN (SELECT organization_id, workspace_id FROM changed)
        ORDER BY known.id FOR NO KEY UPDATE;
      FOR change IN
        SELECT changed.organization_id, changed.scim_group_id, array_agg(changed.workspace_id) AS workspaces
        FROM changed ${ofThose} GROUP BY changed.organization_id, changed.scim_group_id
      LOOP
        PERFORM converge_workspace_members(change.organization_id, change.workspaces, ARRAY(
          SELECT user_id FROM scim_group_members
          WHERE organization_id = change.organization_id AND scim_group_id = change.scim_group_id));
      END LOOP;
      RETURN NULL;
    END $$`;
}
