import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BY_SCOPE, countList, ORGANIZATION_SCOPE, stopCountingList } from '../count-list.js';

/**
 * Adds the members of SCIM groups, the sources of each workspace membership, and triggers that update memberships when
 * groups and mappings change (docs/adr/0010).
 */
export class MembershipSources1795253400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
    await countList(runner, { table: 'scim_groups', scope: ORGANIZATION_SCOPE }, BY_SCOPE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await stopCountingList(runner, 'scim_groups');
    await runner.query('DROP TABLE scim_group_members');
    for (const name of FUNCTIONS) await runner.query(`DROP FUNCTION ${name} CASCADE`);
    await runner.query('ALTER TABLE workspace_members DROP COLUMN manual_role, DROP COLUMN scim_role');
  }
}

/** All functions that this migration creates. */
const FUNCTIONS = [
  'converge_joined_scim_members',
  'converge_left_scim_members',
  'converge_new_scim_mappings',
  'converge_changed_scim_mappings',
  'converge_workspace_members',
  'remove_mappings_of_scim_group',
  'new_uuid_v7',
];

/** Creates a statement-level trigger that receives all rows that the statement has changed. */
function convergeOn(table: string, operation: 'INSERT' | 'UPDATE' | 'DELETE', what: string): string {
  return `CREATE TRIGGER converge_after_${operation.toLowerCase()} AFTER ${operation} ON ${table}
    REFERENCING ${operation === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION converge_${what}()`;
}

/**
 * Inserts or raises roles from mapped groups; it never lowers a role. The source of the roles is inserted between the two
 * parts.
 */
const GRANT = `INSERT INTO workspace_members AS known (id, organization_id, workspace_id, user_id, role, scim_role, created_at)
  SELECT new_uuid_v7(), mapping.organization_id, mapping.workspace_id, member.user_id, min(mapping.role), min(mapping.role), now()`;

// All members of the organization are members of the default workspace without a row.
const GRANTED = `JOIN workspaces workspace
    ON workspace.organization_id = mapping.organization_id AND workspace.id = mapping.workspace_id AND NOT workspace.is_default
  GROUP BY mapping.organization_id, mapping.workspace_id, member.user_id ORDER BY mapping.workspace_id, member.user_id
  ON CONFLICT (workspace_id, user_id) DO UPDATE
    SET scim_role = least(known.scim_role, excluded.scim_role), role = least(known.role, excluded.scim_role)
    WHERE known.scim_role IS NULL OR known.scim_role > excluded.scim_role`;

// Locks are always taken in this order: groups, then workspaces, each ordered by id, then memberships. After locking a
// workspace, the next statement sees all sources of its memberships, and no other transaction can change them.

const HOLD_GROUPS = `PERFORM 1 FROM scim_groups known
  WHERE (known.organization_id, known.id) IN (SELECT organization_id, scim_group_id FROM changed) ORDER BY known.id`;

const HOLD_WORKSPACES = `PERFORM 1 FROM workspaces known
  WHERE (known.organization_id, known.id) IN (SELECT organization_id, workspace_id FROM changed)
  ORDER BY known.id FOR NO KEY UPDATE;`;

const HOLD_MAPPED_WORKSPACES = `PERFORM 1 FROM workspaces known WHERE (known.organization_id, known.id) IN (
    SELECT mapping.organization_id, mapping.workspace_id FROM scim_group_mappings mapping
    WHERE (mapping.organization_id, mapping.scim_group_id) IN (SELECT organization_id, scim_group_id FROM changed))
  ORDER BY known.id FOR NO KEY UPDATE;`;

/** Takes from members what a group has given them that they have left. */
export const CONVERGE_LEFT_MEMBERS = `CREATE FUNCTION converge_left_scim_members() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      change record;
    BEGIN
      ${HOLD_GROUPS} FOR NO KEY UPDATE;
      ${HOLD_MAPPED_WORKSPACES}
      FOR change IN
        SELECT mapping.organization_id, mapping.scim_group_id, array_agg(mapping.workspace_id) AS workspaces
        FROM scim_group_mappings mapping
        WHERE (mapping.organization_id, mapping.scim_group_id) IN (SELECT organization_id, scim_group_id FROM changed)
        GROUP BY mapping.organization_id, mapping.scim_group_id
      LOOP
        PERFORM converge_workspace_members(change.organization_id, change.workspaces, ARRAY(
          SELECT user_id FROM changed
          WHERE organization_id = change.organization_id AND scim_group_id = change.scim_group_id));
      END LOOP;
      RETURN NULL;
    END $$`;

const STATEMENTS = [
  `CREATE TABLE scim_group_members (
      organization_id text NOT NULL,
      scim_group_id uuid NOT NULL,
      user_id text NOT NULL,
      created_at timestamptz(3) NOT NULL,
      CONSTRAINT pk_scim_group_members PRIMARY KEY (organization_id, scim_group_id, user_id),
      CONSTRAINT fk_scim_group_members_group
        FOREIGN KEY (organization_id, scim_group_id) REFERENCES scim_groups (organization_id, id) ON DELETE CASCADE,
      CONSTRAINT fk_scim_group_members_member
        FOREIGN KEY (organization_id, user_id) REFERENCES organization_members (organization_id, user_id) ON DELETE CASCADE
    )`,
  'CREATE INDEX ix_scim_group_members_member ON scim_group_members (organization_id, user_id)',

  // Existing members were added manually.
  'ALTER TABLE workspace_members ADD COLUMN manual_role text, ADD COLUMN scim_role text',
  'UPDATE workspace_members SET manual_role = role',
  // The highest role counts, and admin happens to sort before member. least() ignores nulls.
  `ALTER TABLE workspace_members
      ADD CONSTRAINT ck_workspace_members_manual_role CHECK (manual_role IN ('admin', 'member')),
      ADD CONSTRAINT ck_workspace_members_scim_role CHECK (scim_role IN ('admin', 'member')),
      ADD CONSTRAINT ck_workspace_members_sources CHECK (role IS NOT DISTINCT FROM least(manual_role, scim_role))`,

  // PostgreSQL has uuidv7() from 18 on. RFC 9562, section 5.7: 48 bits of Unix milliseconds, version, random bits.
  `CREATE FUNCTION new_uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
      SELECT encode(set_bit(set_bit(overlay(
        uuid_send(gen_random_uuid()) PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
    $$`,

  `CREATE FUNCTION converge_joined_scim_members() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Nobody maps the groups meanwhile: neither would see what the other does.
      ${HOLD_GROUPS} FOR NO KEY UPDATE;
      ${HOLD_MAPPED_WORKSPACES}
      ${GRANT} FROM changed member JOIN scim_group_mappings mapping USING (organization_id, scim_group_id) ${GRANTED};
      RETURN NULL;
    END $$`,

  `CREATE FUNCTION converge_new_scim_mappings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Nobody joins or leaves the groups meanwhile.
      ${HOLD_GROUPS} FOR SHARE;
      -- Most groups have just been pushed when they are mapped, so that nobody need wait for the workspace.
      IF NOT EXISTS (SELECT FROM changed JOIN scim_group_members USING (organization_id, scim_group_id)) THEN
        RETURN NULL;
      END IF;
      ${HOLD_WORKSPACES}
      ${GRANT} FROM changed mapping JOIN scim_group_members member USING (organization_id, scim_group_id) ${GRANTED};
      RETURN NULL;
    END $$`,

  // Sets the highest role that remains. Statistics may not include these rows yet, so nested loops are disabled, and the
  // statements are planned for the actual lists.
  `CREATE FUNCTION converge_workspace_members(organization text, workspaces uuid[], users text[]) RETURNS void
    LANGUAGE plpgsql SET enable_nestloop = off SET plan_cache_mode = force_custom_plan AS $$
    DECLARE
      groups uuid[] := ARRAY(
        SELECT DISTINCT scim_group_id FROM scim_group_members WHERE organization_id = organization AND user_id = ANY (users));
      without_scim uuid[];
      with_admin uuid[];
      with_member uuid[];
    BEGIN
      WITH granted AS (
        SELECT mapping.workspace_id, member.user_id, min(mapping.role) AS role
        FROM scim_group_mappings mapping JOIN scim_group_members member USING (organization_id, scim_group_id)
        WHERE organization_id = organization AND mapping.scim_group_id = ANY (groups)
          AND mapping.workspace_id = ANY (workspaces) AND member.user_id = ANY (users)
        GROUP BY mapping.workspace_id, member.user_id
      )
      SELECT array_agg(member.id) FILTER (WHERE granted.role IS NULL),
        array_agg(member.id) FILTER (WHERE granted.role = 'admin'),
        array_agg(member.id) FILTER (WHERE granted.role = 'member')
      INTO without_scim, with_admin, with_member
      FROM workspace_members member LEFT JOIN granted USING (workspace_id, user_id)
      WHERE member.organization_id = organization AND workspace_id = ANY (workspaces) AND user_id = ANY (users)
        AND member.scim_role IS NOT NULL AND member.scim_role IS DISTINCT FROM granted.role;
      DELETE FROM workspace_members WHERE id = ANY (without_scim) AND manual_role IS NULL;
      UPDATE workspace_members SET scim_role = NULL, role = manual_role WHERE id = ANY (without_scim);
      UPDATE workspace_members SET scim_role = 'admin', role = 'admin' WHERE id = ANY (with_admin);
      UPDATE workspace_members SET scim_role = 'member', role = least(manual_role, 'member') WHERE id = ANY (with_member);
    END $$`,

  CONVERGE_LEFT_MEMBERS,

  `CREATE FUNCTION converge_changed_scim_mappings() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      change record;
    BEGIN
      ${HOLD_WORKSPACES}
      FOR change IN
        SELECT organization_id, scim_group_id, array_agg(workspace_id) AS workspaces
        FROM changed GROUP BY organization_id, scim_group_id
      LOOP
        PERFORM converge_workspace_members(change.organization_id, change.workspaces, ARRAY(
          SELECT user_id FROM scim_group_members
          WHERE organization_id = change.organization_id AND scim_group_id = change.scim_group_id));
      END LOOP;
      RETURN NULL;
    END $$`,

  // AFTER triggers of a cascade run when the whole cascade is done. This trigger therefore deletes the mappings of a group
  // while it still has its members.
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
  `CREATE TRIGGER remove_mappings BEFORE DELETE ON scim_groups
    FOR EACH ROW EXECUTE FUNCTION remove_mappings_of_scim_group()`,

  convergeOn('scim_group_members', 'INSERT', 'joined_scim_members'),
  convergeOn('scim_group_members', 'DELETE', 'left_scim_members'),
  convergeOn('scim_group_mappings', 'INSERT', 'new_scim_mappings'),
  convergeOn('scim_group_mappings', 'UPDATE', 'changed_scim_mappings'),
  convergeOn('scim_group_mappings', 'DELETE', 'changed_scim_mappings'),
];
