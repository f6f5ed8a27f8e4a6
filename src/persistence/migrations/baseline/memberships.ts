import { forEachOrganization } from './for-each-organization.js';

/**
 * Locks are always taken in this order (docs/adr/0010): groups, then workspaces, each ordered by id, then memberships. After locking a workspace,
 * the next statement sees all sources of its memberships, and no other transaction can change them.
 */
const HOLD_GROUPS = `PERFORM 1 FROM scim_groups known WHERE known.organization_id = organization AND known.id = ANY (groups)
        ORDER BY known.id`;

const HOLD_WORKSPACES = `PERFORM 1 FROM workspaces known
        WHERE known.organization_id = organization AND known.id = ANY (workspaces) ORDER BY known.id FOR NO KEY UPDATE;`;

const HOLD_MAPPED_WORKSPACES = `workspaces := ARRAY(SELECT DISTINCT workspace_id FROM scim_group_mappings
          WHERE organization_id = organization AND scim_group_id = ANY (groups));
        ${HOLD_WORKSPACES}`;

// Roles by mapped groups, which can only raise what there is. What they come from stands between the two parts.
const GRANT = `INSERT INTO workspace_members AS known
          (id, organization_id, workspace_id, user_id, role, scim_role, created_at)
        SELECT new_uuid_v7(), organization, mapping.workspace_id, member.user_id,
          role_of_rank(max(role_rank(mapping.role))), role_of_rank(max(role_rank(mapping.role))), now()`;

// Everybody in the organization is a member of the default workspace.
const GRANTED = `JOIN workspaces workspace ON workspace.id = mapping.workspace_id AND NOT workspace.is_default
        WHERE workspace.organization_id = organization`;

const GRANTED_ONCE = `GROUP BY mapping.workspace_id, member.user_id ORDER BY mapping.workspace_id, member.user_id
        ON CONFLICT (organization_id, workspace_id, user_id) DO UPDATE
          SET scim_role = excluded.scim_role,
            role = role_of_rank(greatest(role_rank(known.role), role_rank(excluded.scim_role)))
          WHERE known.scim_role IS NULL OR role_rank(known.scim_role) < role_rank(excluded.scim_role);`;

/** The changed rows of `scim_group_members`. */
const CHANGED_MEMBERS = `changed_groups uuid[];
      changed_users text[];
      groups uuid[];
      workspaces uuid[];`;

const READ_MEMBERS = `SELECT array_agg(scim_group_id), array_agg(user_id), array_agg(DISTINCT scim_group_id)
        INTO changed_groups, changed_users, groups`;

/** The changed rows of `scim_group_mappings`. */
const CHANGED_MAPPINGS = `changed_groups uuid[];
      changed_workspaces uuid[];`;

/** Keeps memberships of workspaces in step with groups of a directory and their mappings. */
export const MEMBERSHIPS = [
  // Sets the highest role that remains. Statistics may know nothing yet of these rows, so the joins must not be nested loops, and the
  // lists are planned as what they are.
  `CREATE FUNCTION converge_workspace_members(organization text, workspaces uuid[], users text[])
      RETURNS void LANGUAGE plpgsql SET enable_nestloop = off SET enable_mergejoin = off SET plan_cache_mode = force_custom_plan AS $$
    DECLARE
      groups uuid[] := ARRAY(
        SELECT DISTINCT scim_group_id FROM scim_group_members WHERE organization_id = organization AND user_id = ANY (users));
      change record;
    BEGIN
      FOR change IN
        WITH granted AS (
          SELECT mapping.workspace_id, member.user_id, role_of_rank(max(role_rank(mapping.role))) AS role
          FROM scim_group_mappings mapping JOIN scim_group_members member USING (organization_id, scim_group_id)
          WHERE organization_id = organization AND mapping.scim_group_id = ANY (groups)
            AND mapping.workspace_id = ANY (workspaces) AND member.user_id = ANY (users)
          GROUP BY mapping.workspace_id, member.user_id
        )
        SELECT granted.role, array_agg(member.id) AS ids
        FROM workspace_members member LEFT JOIN granted USING (workspace_id, user_id)
        WHERE member.organization_id = organization AND workspace_id = ANY (workspaces) AND user_id = ANY (users)
          AND member.scim_role IS NOT NULL AND member.scim_role IS DISTINCT FROM granted.role
        GROUP BY granted.role
      LOOP
        IF change.role IS NULL THEN
          DELETE FROM workspace_members
          WHERE organization_id = organization AND id = ANY (change.ids) AND manual_role IS NULL;
          UPDATE workspace_members SET scim_role = NULL, role = manual_role
          WHERE organization_id = organization AND id = ANY (change.ids);
        ELSE
          UPDATE workspace_members SET scim_role = change.role,
            role = role_of_rank(greatest(role_rank(manual_role), role_rank(change.role)))
          WHERE organization_id = organization AND id = ANY (change.ids);
        END IF;
      END LOOP;
    END $$`,
  // Makes all changes that the deletion of the mapping would cause, with one UPDATE of each membership. A merge join on the workspace
  // alone would look as good as a hash join on workspace and user where statistics do not include the rows yet, and compare each of
  // 100,000 rows with every other.
  `CREATE FUNCTION keep_members_of_scim_mapping(organization text, mapping_id uuid)
      RETURNS void LANGUAGE plpgsql SET enable_nestloop = off SET enable_mergejoin = off SET plan_cache_mode = force_custom_plan AS $$
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
        role = role_of_rank(greatest(role_rank(coalesce(known.manual_role, kept.role)), role_rank(remaining.role)))
      FROM unnest(users) AS given (user_id) LEFT JOIN (
        SELECT member.user_id, role_of_rank(max(role_rank(mapping.role))) AS role
        FROM scim_group_mappings mapping JOIN scim_group_members member USING (organization_id, scim_group_id)
        WHERE organization_id = organization AND mapping.workspace_id = kept.workspace_id AND mapping.id <> kept.id
          AND member.scim_group_id = ANY (groups) AND member.user_id = ANY (users)
        GROUP BY member.user_id
      ) AS remaining USING (user_id)
      WHERE known.organization_id = organization AND known.workspace_id = kept.workspace_id
        AND known.user_id = ANY (users) AND known.user_id = given.user_id;
    END $$`,
  forEachOrganization(
    'converge_joined_scim_members',
    'changed',
    CHANGED_MEMBERS,
    READ_MEMBERS,
    `-- The groups are not mapped meanwhile: neither transaction would see what the other does.
        ${HOLD_GROUPS} FOR NO KEY UPDATE;
        ${HOLD_MAPPED_WORKSPACES}
        ${GRANT} FROM unnest(changed_groups, changed_users) AS member (scim_group_id, user_id)
          JOIN scim_group_mappings mapping ON mapping.scim_group_id = member.scim_group_id
          ${GRANTED} AND mapping.organization_id = organization
        ${GRANTED_ONCE}`,
  ),
  `CREATE TRIGGER converge_after_insert AFTER INSERT ON scim_group_members REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION converge_joined_scim_members()`,
  forEachOrganization(
    'converge_new_scim_mappings',
    'changed',
    `${CHANGED_MAPPINGS}
      changed_roles text[];
      groups uuid[];
      workspaces uuid[];`,
    `SELECT array_agg(scim_group_id), array_agg(workspace_id), array_agg(role), array_agg(DISTINCT scim_group_id),
          array_agg(DISTINCT workspace_id)
        INTO changed_groups, changed_workspaces, changed_roles, groups, workspaces`,
    `-- Members of the groups stay the same meanwhile.
        ${HOLD_GROUPS} FOR SHARE;
        -- A group without members, as most are when they are mapped, changes no membership: the workspace is not locked.
        CONTINUE WHEN NOT EXISTS (
          SELECT FROM scim_group_members WHERE organization_id = organization AND scim_group_id = ANY (groups));
        ${HOLD_WORKSPACES}
        ${GRANT} FROM unnest(changed_groups, changed_workspaces, changed_roles) AS mapping (scim_group_id, workspace_id, role)
          JOIN scim_group_members member ON member.scim_group_id = mapping.scim_group_id
          ${GRANTED} AND member.organization_id = organization
        ${GRANTED_ONCE}`,
  ),
  `CREATE TRIGGER converge_after_insert AFTER INSERT ON scim_group_mappings REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION converge_new_scim_mappings()`,
  forEachOrganization(
    'converge_left_scim_members',
    'changed',
    `${CHANGED_MEMBERS}
      change record;`,
    READ_MEMBERS,
    `${HOLD_GROUPS} FOR NO KEY UPDATE;
        ${HOLD_MAPPED_WORKSPACES}
        FOR change IN
          SELECT mapping.scim_group_id, array_agg(mapping.workspace_id) AS workspaces FROM scim_group_mappings mapping
          WHERE mapping.organization_id = organization AND mapping.scim_group_id = ANY (groups)
          GROUP BY mapping.scim_group_id
        LOOP
          PERFORM converge_workspace_members(organization, change.workspaces, ARRAY(
            SELECT user_id FROM unnest(changed_groups, changed_users) AS gone (scim_group_id, user_id)
            WHERE scim_group_id = change.scim_group_id));
        END LOOP;`,
  ),
  `CREATE TRIGGER converge_after_delete AFTER DELETE ON scim_group_members REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION converge_left_scim_members()`,
  forEachOrganization(
    'converge_changed_scim_mappings',
    'changed',
    `${CHANGED_MAPPINGS}
      workspaces uuid[];
      change record;`,
    `SELECT array_agg(scim_group_id), array_agg(workspace_id), array_agg(DISTINCT workspace_id)
        INTO changed_groups, changed_workspaces, workspaces`,
    `${HOLD_WORKSPACES}
        -- A workspace that is being deleted is gone by now, and its memberships go with it.
        workspaces := ARRAY(SELECT id FROM workspaces known WHERE known.organization_id = organization AND known.id = ANY (workspaces));
        FOR change IN
          SELECT scim_group_id, array_agg(workspace_id) AS workspaces
          FROM unnest(changed_groups, changed_workspaces) AS mapping (scim_group_id, workspace_id)
          WHERE workspace_id = ANY (workspaces) GROUP BY scim_group_id
        LOOP
          PERFORM converge_workspace_members(organization, change.workspaces, ARRAY(
            SELECT user_id FROM scim_group_members
            WHERE organization_id = organization AND scim_group_id = change.scim_group_id));
        END LOOP;`,
  ),
  `CREATE TRIGGER converge_after_delete AFTER DELETE ON scim_group_mappings REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION converge_changed_scim_mappings()`,
  `CREATE TRIGGER converge_after_update AFTER UPDATE ON scim_group_mappings REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION converge_changed_scim_mappings()`,
  // AFTER triggers of a cascade run when the whole cascade is done. This one therefore deletes the mappings of a group while it still has
  // its members.
  `CREATE FUNCTION remove_mappings_of_scim_group() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM 1 FROM scim_groups WHERE organization_id = OLD.organization_id AND id = OLD.id FOR UPDATE;
      PERFORM 1 FROM workspaces known WHERE known.organization_id = OLD.organization_id AND known.id IN (
        SELECT workspace_id FROM scim_group_mappings
        WHERE organization_id = OLD.organization_id AND scim_group_id = OLD.id)
      ORDER BY known.id FOR NO KEY UPDATE;
      DELETE FROM scim_group_mappings WHERE organization_id = OLD.organization_id AND scim_group_id = OLD.id;
      RETURN OLD;
    END $$`,
  'CREATE TRIGGER remove_mappings BEFORE DELETE ON scim_groups FOR EACH ROW EXECUTE FUNCTION remove_mappings_of_scim_group()',
];
