import type { MigrationInterface, QueryRunner } from 'typeorm';
import { BY_ORGANIZATION, countFunction, DISTRIBUTED } from '../count-list.js';
import { amountsTaken, sumsOfDays } from './1795287600000-key-spend-totals.js';
import { LINK_AUDIT_EVENT } from './1795302100000-protected-audit-trail.js';
import {
  COUNTED_LISTS,
  FUNCTIONS_UP as BESIDE_OTHER_TABLES,
  GRANT,
  HOLD_MAPPED_WORKSPACES,
  HOLD_WORKSPACES,
} from './1795401600000-organization-first.js';

/**
 * Makes triggers fit for tables that are spread over nodes (docs/scaling.md): a function reads its transition table into variables, and only
 * then has a statement about other tables; a trigger for TRUNCATE is for nothing else. They do the same as before.
 */
export class DistributedTriggers1795910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await run(runner, [
      ...COUNTED_LISTS.map((list) => countFunction(list, DISTRIBUTED)),
      ...FUNCTIONS,
      linkFunction(LINK_DISTRIBUTED_EVENT),
      ...GUARDED.flatMap(({ table, name, events }) => [
        `CREATE OR REPLACE TRIGGER ${name} BEFORE ${events} ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
        `CREATE TRIGGER refuse_truncation BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
      ]),
    ]);
    await protectLinkFunction(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await run(runner, [
      ...GUARDED.flatMap(({ table, name, events }) => [
        `CREATE OR REPLACE TRIGGER ${name} BEFORE ${events} OR TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()`,
        `DROP TRIGGER refuse_truncation ON ${table}`,
      ]),
      linkFunction(LINK_AUDIT_EVENT),
      ...BESIDE_OTHER_TABLES,
      ...COUNTED_LISTS.map((list) => countFunction(list, BY_ORGANIZATION)),
    ]);
    await protectLinkFunction(runner);
  }
}

async function run(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await runner.query(statement);
}

/** The tables of the audit trail, with the trigger that refuses changes and what it refuses beside TRUNCATE. */
const GUARDED = [
  ...['audit_events', 'audit_links', 'audit_large_changes'].map((table) => ({
    table,
    name: 'refuse_change',
    events: 'UPDATE OR DELETE',
  })),
  { table: 'audit_heads', name: 'refuse_removal', events: 'DELETE' },
];

/**
 * The body of the trigger function that adds an event to its chain. `gatehouse audit verify` compares it. On a node, NEW has the type of the
 * part of the table that is there.
 */
export const LINK_DISTRIBUTED_EVENT = LINK_AUDIT_EVENT.replace(
  'head.sequence, NEW)',
  'head.sequence, ROW(NEW.*)::audit_events)',
);

function linkFunction(body: string): string {
  return `CREATE OR REPLACE FUNCTION link_audit_event() RETURNS trigger LANGUAGE plpgsql AS $$${body}$$`;
}

/** As in migration ProtectedAuditTrail: replacing a function replaces its settings too. */
async function protectLinkFunction(runner: QueryRunner): Promise<void> {
  await runner.query(`DO $$ BEGIN
      EXECUTE format('ALTER FUNCTION link_audit_event() SECURITY DEFINER SET search_path = pg_catalog, %I, pg_temp', current_schema());
    END $$`);
}

/**
 * A trigger function that works on the changed rows of one organization after those of another, in the order of their ids.
 *
 * @param read selects the changed rows of the organization into variables
 * @param body has no statement with the changed rows
 */
function forEachOrganization(name: string, changed: string, variables: string, read: string, body: string): string {
  return `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      organization text;
      ${variables}
    BEGIN
      FOR organization IN SELECT DISTINCT organization_id FROM ${changed} ORDER BY organization_id LOOP
        ${read} FROM ${changed} WHERE organization_id = organization;
        ${body}
      END LOOP;
      RETURN NULL;
    END $$`;
}

/** Locks are taken in the order of docs/adr/0010: groups, workspaces, memberships. */
const HOLD_GROUPS = `PERFORM 1 FROM scim_groups known WHERE known.organization_id = organization AND known.id = ANY (groups)
        ORDER BY known.id`;

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

const FUNCTIONS = [
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

  forEachOrganization(
    'take_days_from_key_spend_totals',
    'deleted',
    `keys uuid[];
      days date[];
      amounts numeric[];
      byok_amounts numeric[];`,
    `SELECT array_agg(key_id), array_agg(day), array_agg(amount_usd), array_agg(byok_amount_usd)
        INTO keys, days, amounts, byok_amounts`,
    `-- The lock keeps others from adding to the totals between reading their latest day and writing them.
        PERFORM 1 FROM key_spend_totals WHERE organization_id = organization AND key_id = ANY (keys)
          ORDER BY key_id FOR NO KEY UPDATE;
        UPDATE key_spend_totals AS known SET ${amountsTaken('gone')}
        FROM (
          SELECT latest.key_id, ${sumsOfDays('spent', 'latest_day')}
          FROM unnest(keys, days, amounts, byok_amounts) AS spent (key_id, day, amount_usd, byok_amount_usd)
          JOIN key_spend_totals AS latest USING (key_id)
          WHERE latest.organization_id = organization
          GROUP BY latest.key_id
        ) AS gone
        WHERE known.organization_id = organization AND known.key_id = gone.key_id;`,
  ),
];
