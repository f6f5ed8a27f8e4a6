import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Turns the members of a mapping into manual members before it is deleted (docs/adr/0010). Each membership is written once:
 * PostgreSQL checks all foreign keys again for a row that the same transaction writes twice, which took three times as long
 * as everything else.
 */
export class KeptMembers1795276800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(KEEP_MEMBERS);
    await runner.query('ALTER FUNCTION converge_workspace_members SET enable_mergejoin = off');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER FUNCTION converge_workspace_members RESET enable_mergejoin');
    await runner.query('DROP FUNCTION keep_members_of_scim_mapping');
  }
}

// Has the same planner settings as converge_workspace_members, for the same reasons, and also disables merge joins: when
// statistics do not include the rows yet, a merge join on the workspace alone looks as good as a hash join on workspace and
// user, and compares each of 100,000 rows with every other. The result is what the trigger would compute when the mapping is
// deleted, so the trigger then changes nothing.
const KEEP_MEMBERS = `CREATE FUNCTION keep_members_of_scim_mapping(organization text, mapping_id uuid) RETURNS void
    LANGUAGE plpgsql SET enable_nestloop = off SET enable_mergejoin = off SET plan_cache_mode = force_custom_plan AS $$
    DECLARE
      kept scim_group_mappings;
      users text[];
      groups uuid[];
    BEGIN
      SELECT * INTO STRICT kept FROM scim_group_mappings WHERE organization_id = organization AND id = mapping_id;
      users := ARRAY(
        SELECT user_id FROM scim_group_members
        WHERE organization_id = organization AND scim_group_id = kept.scim_group_id);
      groups := ARRAY(
        SELECT scim_group_id FROM scim_group_mappings
        WHERE organization_id = organization AND workspace_id = kept.workspace_id AND id <> kept.id);
      UPDATE workspace_members known
      SET manual_role = coalesce(known.manual_role, kept.role), scim_role = remaining.role,
        role = least(coalesce(known.manual_role, kept.role), remaining.role)
      FROM unnest(users) AS given (user_id) LEFT JOIN (
        SELECT member.user_id, min(mapping.role) AS role
        FROM scim_group_mappings mapping JOIN scim_group_members member USING (organization_id, scim_group_id)
        WHERE organization_id = organization AND mapping.workspace_id = kept.workspace_id AND mapping.id <> kept.id
          AND member.scim_group_id = ANY (groups) AND member.user_id = ANY (users)
        GROUP BY member.user_id
      ) AS remaining USING (user_id)
      WHERE known.organization_id = organization AND known.workspace_id = kept.workspace_id
        AND known.user_id = ANY (users) AND known.user_id = given.user_id;
    END $$`;
