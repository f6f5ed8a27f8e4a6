import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Compares roles by an explicit rank (docs/adr/0010). Until now the higher of two was the first in the alphabet, which holds
 * for 'admin' and 'member' and for no third role.
 */
export class RoleRanks1795311600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of ROLE_RANK_FUNCTIONS) await runner.query(statement);
    for (const statement of CONVERGE_BY_RANK) await runner.query(statement);
    await runner.query(sourcesCheck(BY_RANK));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(sourcesCheck(BY_ALPHABET));
    for (const statement of functionsThatCompare(BY_ALPHABET)) await runner.query(statement);
    await runner.query('DROP FUNCTION role_of_rank(integer), role_rank(text)');
  }
}

/**
 * Functions that convert roles to ranks and back; null for null. A check constraint of memberships calls them, so they must
 * not refer to other objects of the schema: a restored dump creates tables with an empty search path. PostgreSQL inlines
 * both.
 */
export const ROLE_RANK_FUNCTIONS = [
  `CREATE FUNCTION role_rank(role text) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE $1 WHEN 'member' THEN 1 WHEN 'admin' THEN 2 END $$`,
  `CREATE FUNCTION role_of_rank(rank integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT CASE $1 WHEN 1 THEN 'member' WHEN 2 THEN 'admin' END $$`,
];

/** SQL expressions that compare roles. */
interface RoleOrder {
  /** The higher of two roles, or the one of them that is not null. */
  readonly higher: (one: string, other: string) => string;
  /** The highest role of a group. */
  readonly highest: (role: string) => string;
  /** Whether one role is lower than another. */
  readonly isLower: (one: string, other: string) => string;
}

const BY_RANK: RoleOrder = {
  higher: (one, other) => `role_of_rank(greatest(role_rank(${one}), role_rank(${other})))`,
  highest: (role) => `role_of_rank(max(role_rank(${role})))`,
  isLower: (one, other) => `role_rank(${one}) < role_rank(${other})`,
};

const BY_ALPHABET: RoleOrder = {
  higher: (one, other) => `least(${one}, ${other})`,
  highest: (role) => `min(${role})`,
  isLower: (one, other) => `${one} > ${other}`,
};

function sourcesCheck({ higher }: RoleOrder): string {
  return `ALTER TABLE workspace_members DROP CONSTRAINT ck_workspace_members_sources,
    ADD CONSTRAINT ck_workspace_members_sources CHECK (role IS NOT DISTINCT FROM ${higher('manual_role', 'scim_role')})`;
}

/** Locks are taken in the order of docs/adr/0010: groups, workspaces, memberships. */
const HOLD_GROUPS = `PERFORM 1 FROM scim_groups known
  WHERE (known.organization_id, known.id) IN (SELECT organization_id, scim_group_id FROM changed) ORDER BY known.id`;

/** Replacing a function also replaces its settings, so each statement has to repeat them. */
function functionsThatCompare({ higher, highest, isLower }: RoleOrder): string[] {
  // Inserts or raises roles from mapped groups; it never lowers a role. The source of the roles is inserted between the two
  // parts.
  const grant = `INSERT INTO workspace_members AS known (id, organization_id, workspace_id, user_id, role, scim_role, created_at)
    SELECT new_uuid_v7(), mapping.organization_id, mapping.workspace_id, member.user_id,
      ${highest('mapping.role')}, ${highest('mapping.role')}, now()`;
  // All members of the organization are members of the default workspace without a row.
  const granted = `JOIN workspaces workspace
      ON workspace.organization_id = mapping.organization_id AND workspace.id = mapping.workspace_id AND NOT workspace.is_default
    GROUP BY mapping.organization_id, mapping.workspace_id, member.user_id ORDER BY mapping.workspace_id, member.user_id
    ON CONFLICT (workspace_id, user_id) DO UPDATE
      SET scim_role = excluded.scim_role, role = ${higher('known.role', 'excluded.scim_role')}
      WHERE known.scim_role IS NULL OR ${isLower('known.scim_role', 'excluded.scim_role')}`;
  return [
    `CREATE OR REPLACE FUNCTION converge_joined_scim_members() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- The groups are not mapped meanwhile: neither transaction would see what the other does.
      ${HOLD_GROUPS} FOR NO KEY UPDATE;
      PERFORM 1 FROM workspaces known WHERE (known.organization_id, known.id) IN (
          SELECT mapping.organization_id, mapping.workspace_id FROM scim_group_mappings mapping
          WHERE (mapping.organization_id, mapping.scim_group_id) IN (SELECT organization_id, scim_group_id FROM changed))
        ORDER BY known.id FOR NO KEY UPDATE;
      ${grant} FROM changed member JOIN scim_group_mappings mapping USING (organization_id, scim_group_id) ${granted};
      RETURN NULL;
    END $$`,

    `CREATE OR REPLACE FUNCTION converge_new_scim_mappings() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      -- Members of the groups stay the same meanwhile.
      ${HOLD_GROUPS} FOR SHARE;
      -- A group without members, as most are when they are mapped, changes no membership: the workspace is not locked.
      IF NOT EXISTS (SELECT FROM changed JOIN scim_group_members USING (organization_id, scim_group_id)) THEN
        RETURN NULL;
      END IF;
      PERFORM 1 FROM workspaces known
        WHERE (known.organization_id, known.id) IN (SELECT organization_id, workspace_id FROM changed)
        ORDER BY known.id FOR NO KEY UPDATE;
      ${grant} FROM changed mapping JOIN scim_group_members member USING (organization_id, scim_group_id) ${granted};
      RETURN NULL;
    END $$`,

    // Sets the highest role that remains. Statistics may not include these rows yet, so nested loops are disabled, and the
    // statements are planned for the actual lists.
    `CREATE OR REPLACE FUNCTION converge_workspace_members(organization text, workspaces uuid[], users text[]) RETURNS void
    LANGUAGE plpgsql SET enable_nestloop = off SET enable_mergejoin = off SET plan_cache_mode = force_custom_plan AS $$
    DECLARE
      groups uuid[] := ARRAY(
        SELECT DISTINCT scim_group_id FROM scim_group_members WHERE organization_id = organization AND user_id = ANY (users));
      change record;
    BEGIN
      FOR change IN
        WITH granted AS (
          SELECT mapping.workspace_id, member.user_id, ${highest('mapping.role')} AS role
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
          DELETE FROM workspace_members WHERE id = ANY (change.ids) AND manual_role IS NULL;
          UPDATE workspace_members SET scim_role = NULL, role = manual_role WHERE id = ANY (change.ids);
        ELSE
          UPDATE workspace_members SET scim_role = change.role, role = ${higher('manual_role', 'change.role')}
          WHERE id = ANY (change.ids);
        END IF;
      END LOOP;
    END $$`,

    // Makes all changes that the deletion of the mapping would cause, with one UPDATE of each membership.
    `CREATE OR REPLACE FUNCTION keep_members_of_scim_mapping(organization text, mapping_id uuid) RETURNS void
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
        role = ${higher('coalesce(known.manual_role, kept.role)', 'remaining.role')}
      FROM unnest(users) AS given (user_id) LEFT JOIN (
        SELECT member.user_id, ${highest('mapping.role')} AS role
        FROM scim_group_mappings mapping JOIN scim_group_members member USING (organization_id, scim_group_id)
        WHERE organization_id = organization AND mapping.workspace_id = kept.workspace_id AND mapping.id <> kept.id
          AND member.scim_group_id = ANY (groups) AND member.user_id = ANY (users)
        GROUP BY member.user_id
      ) AS remaining USING (user_id)
      WHERE known.organization_id = organization AND known.workspace_id = kept.workspace_id
        AND known.user_id = ANY (users) AND known.user_id = given.user_id;
    END $$`,
  ];
}

/** The functions that compare roles, by their ranks. */
export const CONVERGE_BY_RANK = functionsThatCompare(BY_RANK);
