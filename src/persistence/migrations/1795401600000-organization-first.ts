import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  BY_ORGANIZATION,
  BY_SCOPE,
  type CountedList,
  countFunction,
  ORGANIZATION_SCOPE,
  WORKSPACE_SCOPE,
} from '../count-list.js';
import { CONVERGE_LEFT_MEMBERS } from './1795253400000-membership-sources.js';
import { CONVERGE_CHANGED_MAPPINGS } from './1795271400000-mappings-of-deleted-workspaces.js';
import { REMOVE_COUNTS_OF_DELETED } from './1795278600000-counts-of-deleted-lists.js';
import { amountsTaken, sumsOfDays, TAKE_DAYS_FROM_TOTALS } from './1795287600000-key-spend-totals.js';
import { CONVERGE_BY_RANK } from './1795311600000-role-ranks.js';

/**
 * Puts the organization first in every primary key, unique constraint and foreign key of rows that belong to one, so that
 * tables can be partitioned or distributed by it (docs/scaling.md). Ids and hashes stay unique by themselves: they are random.
 *
 * It is one transaction. While it builds indexes, rows can be read but not written; those of `list_counts` (which every list
 * reads), `preset_versions` and `audit_large_changes` cannot be read from the moment they get their column, nor those of any
 * other table once the first constraint is replaced. With 200,000 rows in each table all of it took 15 s of processor time, the
 * last part 2 s: it grows with the number of rows.
 */
export class OrganizationFirst1795401600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const isNew = ({ table }: Key): boolean => TABLES_WITHOUT_COLUMN.includes(table);
    await run(runner, [
      // Reading goes on while these are built.
      ...KEYS.filter((key) => !isNew(key)).map(buildIndex),
      ...NEW_COLUMNS,
      ...KEYS.filter(isNew).map(buildIndex),
      ...INDEXES_UP,
      ...REFERENCES.map(dropReference),
      ...REDUNDANT.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
      ...KEYS.map(replaceKey),
      ...REFERENCES.map((reference) => addReference(reference, reference.now)),
      ...COUNTED_LISTS.map((list) => countFunction(list, BY_ORGANIZATION)),
      ...FUNCTIONS_UP,
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await run(runner, [
      ...FUNCTIONS_DOWN,
      ...COUNTED_LISTS.map((list) => countFunction(list, BY_SCOPE)),
      ...REFERENCES.map(dropReference),
      ...KEYS.map(restoreKey),
      ...REDUNDANT.map(({ table, name }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} UNIQUE (organization_id, id)`),
      ...REFERENCES.map((reference) => addReference(reference, reference.before ?? reference.now)),
      ...INDEXES_DOWN,
      ...OLD_COLUMNS,
    ]);
  }
}

async function run(runner: QueryRunner, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await runner.query(statement);
}

/** A primary key or unique constraint that gets the organization ahead of its columns. */
interface Key {
  readonly table: string;
  readonly name: string;
  readonly kind: 'PRIMARY KEY' | 'UNIQUE';
  /** Those that it has had until now. */
  readonly columns: string;
}

function primaryKey(table: string, columns = 'id'): Key {
  return { table, name: `pk_${table}`, kind: 'PRIMARY KEY', columns };
}

function uniqueConstraint(table: string, name: string, columns: string): Key {
  return { table, name: `uq_${table}_${name}`, kind: 'UNIQUE', columns };
}

const KEYS: readonly Key[] = [
  ...[
    'organization_members',
    'workspaces',
    'workspace_members',
    'workspace_budgets',
    'connect_clients',
    'api_keys',
    'oauth_applications',
    'authorization_codes',
    'guardrails',
    'guardrail_key_assignments',
    'guardrail_member_assignments',
    'scim_groups',
    'scim_group_mappings',
    'presets',
    'preset_versions',
    'observability_destinations',
    'audit_events',
  ].map((table) => primaryKey(table)),
  primaryKey('audit_large_changes', 'event_id'),
  primaryKey('list_counts', 'list, scope, slot'),
  uniqueConstraint('audit_links', 'event', 'event_id'),
  uniqueConstraint('presets', 'workspace_slug', 'workspace_id, slug'),
  uniqueConstraint('preset_versions', 'preset_version', 'preset_id, version'),
  uniqueConstraint('workspace_budgets', 'workspace_interval', 'workspace_id, "interval"'),
  uniqueConstraint('workspace_members', 'workspace_user', 'workspace_id, user_id'),
  uniqueConstraint('workspaces', 'default_guardrail', 'default_guardrail_id'),
];

function buildIndex(key: Key): string {
  return `CREATE UNIQUE INDEX ${temporaryName(key)} ON ${key.table} (organization_id, ${key.columns})`;
}

function temporaryName({ name }: Key): string {
  return `${name}_by_organization`;
}

/** Makes the index that was built the constraint's own, whose name it takes. */
function replaceKey(key: Key): string {
  const { table, name, kind } = key;
  return `ALTER TABLE ${table} DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} ${kind} USING INDEX ${temporaryName(key)}`;
}

function restoreKey({ table, name, kind, columns }: Key): string {
  return `ALTER TABLE ${table} DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} ${kind} (${columns})`;
}

/** Constraints that say the same as the new primary keys. */
const REDUNDANT = ['api_keys', 'connect_clients', 'guardrails', 'scim_groups', 'workspaces'].map((table) => ({
  table,
  name: `uq_${table}_organization_id`,
}));

/** A foreign key that refers to one of {@link KEYS}, or to one of {@link REDUNDANT}. */
interface Reference {
  readonly table: string;
  readonly name: string;
  /** What stands behind FOREIGN KEY. */
  readonly now: string;
  /** The same before this migration, where that was something else. */
  readonly before?: string;
}

/** @param column that names the row beside the organization */
function reference(
  table: string,
  name: string,
  column: string,
  to: string,
  onDelete = ' ON DELETE CASCADE',
): Reference {
  const now = `(organization_id, ${column}) REFERENCES ${to} (organization_id, id)${onDelete}`;
  return { table, name: `fk_${table}_${name}`, now };
}

const REFERENCES: readonly Reference[] = [
  reference('api_keys', 'connect_client', 'connect_client_id', 'connect_clients'),
  reference('api_keys', 'workspace', 'workspace_id', 'workspaces', ''),
  reference('authorization_codes', 'connect_client', 'connect_client_id', 'connect_clients'),
  reference('authorization_codes', 'workspace', 'workspace_id', 'workspaces'),
  {
    ...reference('authorization_codes', 'application', 'application_id', 'oauth_applications'),
    before: '(application_id) REFERENCES oauth_applications (id) ON DELETE CASCADE',
  },
  {
    // The code stays its organization's.
    ...reference(
      'authorization_codes',
      'issued_key',
      'issued_key_id',
      'api_keys',
      ' ON DELETE SET NULL (issued_key_id)',
    ),
    before: '(issued_key_id) REFERENCES api_keys (id) ON DELETE SET NULL',
  },
  reference('guardrails', 'workspace', 'workspace_id', 'workspaces'),
  reference('guardrail_key_assignments', 'guardrail', 'guardrail_id', 'guardrails'),
  reference('guardrail_key_assignments', 'key', 'key_id', 'api_keys'),
  reference('guardrail_member_assignments', 'guardrail', 'guardrail_id', 'guardrails'),
  reference('key_spend', 'key', 'key_id', 'api_keys'),
  reference('key_spend_totals', 'key', 'key_id', 'api_keys'),
  reference('observability_destinations', 'workspace', 'workspace_id', 'workspaces'),
  reference('presets', 'workspace', 'workspace_id', 'workspaces'),
  {
    ...reference('preset_versions', 'preset', 'preset_id', 'presets'),
    before: '(preset_id) REFERENCES presets (id) ON DELETE CASCADE',
  },
  reference('scim_group_mappings', 'group', 'scim_group_id', 'scim_groups'),
  reference('scim_group_mappings', 'workspace', 'workspace_id', 'workspaces'),
  reference('scim_group_members', 'group', 'scim_group_id', 'scim_groups'),
  reference('workspace_budgets', 'workspace', 'workspace_id', 'workspaces'),
  reference('workspace_members', 'workspace', 'workspace_id', 'workspaces'),
];

function dropReference({ table, name }: Reference): string {
  return `ALTER TABLE ${table} DROP CONSTRAINT ${name}`;
}

function addReference({ table, name }: Reference, definition: string): string {
  return `ALTER TABLE ${table} ADD CONSTRAINT ${name} FOREIGN KEY ${definition}`;
}

/** Tables that have had no column for the organization. */
const TABLES_WITHOUT_COLUMN = ['preset_versions', 'list_counts', 'audit_large_changes'];

const NEW_COLUMNS = [
  'ALTER TABLE preset_versions ADD COLUMN organization_id text',
  `UPDATE preset_versions SET organization_id = presets.organization_id FROM presets WHERE presets.id = preset_id`,
  'ALTER TABLE preset_versions ALTER COLUMN organization_id SET NOT NULL',
  // A scope is an organization, or one with a slash and the id of a workspace or guardrail behind it. To write the table anew is
  // faster than to update all of its rows.
  'ALTER TABLE list_counts ADD COLUMN organization_id text',
  `ALTER TABLE list_counts ALTER COLUMN organization_id TYPE text USING split_part(scope, '/', 1),
    ALTER COLUMN organization_id SET NOT NULL`,
  // A digest without an event can only come from tampering; it gets no organization.
  'ALTER TABLE audit_large_changes ADD COLUMN organization_id text, DISABLE TRIGGER refuse_change',
  `UPDATE audit_large_changes SET organization_id =
    coalesce((SELECT event.organization_id FROM audit_events event WHERE event.id = event_id), '')`,
  'ALTER TABLE audit_large_changes ALTER COLUMN organization_id SET NOT NULL, ENABLE TRIGGER refuse_change',
];

const OLD_COLUMNS = TABLES_WITHOUT_COLUMN.map((table) => `ALTER TABLE ${table} DROP COLUMN organization_id`);

const INDEXES_UP = [
  'DROP INDEX ix_authorization_codes_expiry, ix_authorization_codes_issued_key',
  'CREATE INDEX ix_authorization_codes_expiry ON authorization_codes (organization_id, expires_at)',
  'CREATE INDEX ix_authorization_codes_issued_key ON authorization_codes (organization_id, issued_key_id)',
  // The primary key is one more index that PostgreSQL could take for the application of an origin, so that all that is asked
  // of an application has to be in this one.
  'DROP INDEX ix_oauth_applications_origin',
  'CREATE INDEX ix_oauth_applications_origin ON oauth_applications (organization_id, origin, id, number)',
  // The unique constraint has the same columns now.
  'DROP INDEX ix_presets_organization_workspace',
];

const INDEXES_DOWN = [
  'DROP INDEX ix_oauth_applications_origin',
  'CREATE INDEX ix_oauth_applications_origin ON oauth_applications (organization_id, origin, id)',
  'CREATE INDEX ix_presets_organization_workspace ON presets (organization_id, workspace_id, slug)',
  'DROP INDEX ix_authorization_codes_expiry, ix_authorization_codes_issued_key',
  'CREATE INDEX ix_authorization_codes_issued_key ON authorization_codes (issued_key_id)',
  'CREATE INDEX ix_authorization_codes_expiry ON authorization_codes (expires_at)',
];

export const COUNTED_LISTS: readonly CountedList[] = [
  ...['organization_members', 'workspaces', 'scim_groups', 'scim_group_mappings', 'connect_clients'].map((table) => ({
    table,
    scope: ORGANIZATION_SCOPE,
  })),
  ...['workspace_members', 'guardrails', 'presets', 'observability_destinations'].map((table) => ({
    table,
    scope: WORKSPACE_SCOPE,
  })),
  ...['guardrail_key_assignments', 'guardrail_member_assignments'].map((table) => ({
    table,
    scope: ORGANIZATION_SCOPE,
    secondScope: "organization_id || '/' || guardrail_id",
  })),
];

/** A trigger function that works on the changed rows of one organization after those of another, in the order of their ids. */
function forEachOrganization(name: string, changed: string, variables: string, body: string): string {
  return `CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      organization text;
      ${variables}
    BEGIN
      FOR organization IN SELECT DISTINCT organization_id FROM ${changed} ORDER BY organization_id LOOP
        ${body}
      END LOOP;
      RETURN NULL;
    END $$`;
}

/** The values of a column in the changed rows of the organization. */
function changedOnes(column: string, changed = 'changed'): string {
  return `ARRAY(SELECT DISTINCT ${column} FROM ${changed} WHERE organization_id = organization)`;
}

/** Locks are taken in the order of docs/adr/0010: groups, workspaces, memberships. */
const HOLD_GROUPS = `groups := ${changedOnes('scim_group_id')};
        PERFORM 1 FROM scim_groups known WHERE known.organization_id = organization AND known.id = ANY (groups)
        ORDER BY known.id`;

export const HOLD_WORKSPACES = `PERFORM 1 FROM workspaces known
        WHERE known.organization_id = organization AND known.id = ANY (workspaces) ORDER BY known.id FOR NO KEY UPDATE;`;

export const HOLD_MAPPED_WORKSPACES = `workspaces := ARRAY(SELECT DISTINCT workspace_id FROM scim_group_mappings
          WHERE organization_id = organization AND scim_group_id = ANY (groups));
        ${HOLD_WORKSPACES}`;

// Roles by mapped groups, which can only raise what there is. What they come from stands between the two parts.
export const GRANT = `INSERT INTO workspace_members AS known
          (id, organization_id, workspace_id, user_id, role, scim_role, created_at)
        SELECT new_uuid_v7(), organization, mapping.workspace_id, member.user_id,
          role_of_rank(max(role_rank(mapping.role))), role_of_rank(max(role_rank(mapping.role))), now()`;

// Everybody in the organization is a member of the default workspace.
const GRANTED = `ON member.scim_group_id = mapping.scim_group_id
          JOIN workspaces workspace ON workspace.id = mapping.workspace_id AND NOT workspace.is_default
        WHERE mapping.organization_id = organization AND member.organization_id = organization
          AND workspace.organization_id = organization
        GROUP BY mapping.workspace_id, member.user_id ORDER BY mapping.workspace_id, member.user_id
        ON CONFLICT (organization_id, workspace_id, user_id) DO UPDATE
          SET scim_role = excluded.scim_role,
            role = role_of_rank(greatest(role_rank(known.role), role_rank(excluded.scim_role)))
          WHERE known.scim_role IS NULL OR role_rank(known.scim_role) < role_rank(excluded.scim_role);`;

const GROUPS_AND_WORKSPACES = `groups uuid[];
      workspaces uuid[];`;

export const FUNCTIONS_UP = [
  `CREATE OR REPLACE FUNCTION remove_counts_of_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM list_counts WHERE organization_id = OLD.organization_id AND list = ANY (TG_ARGV)
        AND scope = OLD.organization_id || '/' || OLD.id;
      RETURN NULL;
    END $$`,

  forEachOrganization(
    'converge_joined_scim_members',
    'changed',
    GROUPS_AND_WORKSPACES,
    `-- The groups are not mapped meanwhile: neither transaction would see what the other does.
        ${HOLD_GROUPS} FOR NO KEY UPDATE;
        ${HOLD_MAPPED_WORKSPACES}
        ${GRANT} FROM changed member JOIN scim_group_mappings mapping ${GRANTED}`,
  ),

  forEachOrganization(
    'converge_new_scim_mappings',
    'changed',
    GROUPS_AND_WORKSPACES,
    `-- Members of the groups stay the same meanwhile.
        ${HOLD_GROUPS} FOR SHARE;
        -- A group without members, as most are when they are mapped, changes no membership: the workspace is not locked.
        CONTINUE WHEN NOT EXISTS (
          SELECT FROM scim_group_members WHERE organization_id = organization AND scim_group_id = ANY (groups));
        workspaces := ${changedOnes('workspace_id')};
        ${HOLD_WORKSPACES}
        ${GRANT} FROM changed mapping JOIN scim_group_members member ${GRANTED}`,
  ),

  forEachOrganization(
    'converge_left_scim_members',
    'changed',
    `${GROUPS_AND_WORKSPACES}
      change record;`,
    `${HOLD_GROUPS} FOR NO KEY UPDATE;
        ${HOLD_MAPPED_WORKSPACES}
        FOR change IN
          SELECT mapping.scim_group_id, array_agg(mapping.workspace_id) AS workspaces FROM scim_group_mappings mapping
          WHERE mapping.organization_id = organization AND mapping.scim_group_id = ANY (groups)
          GROUP BY mapping.scim_group_id
        LOOP
          PERFORM converge_workspace_members(organization, change.workspaces, ARRAY(
            SELECT user_id FROM changed
            WHERE organization_id = organization AND scim_group_id = change.scim_group_id));
        END LOOP;`,
  ),

  forEachOrganization(
    'converge_changed_scim_mappings',
    'changed',
    `workspaces uuid[];
      change record;`,
    `workspaces := ${changedOnes('workspace_id')};
        ${HOLD_WORKSPACES}
        -- A workspace that is being deleted is gone by now, and its memberships go with it.
        FOR change IN
          SELECT changed.scim_group_id, array_agg(changed.workspace_id) AS workspaces
          FROM changed JOIN workspaces known ON known.id = changed.workspace_id
          WHERE changed.organization_id = organization AND known.organization_id = organization
          GROUP BY changed.scim_group_id
        LOOP
          PERFORM converge_workspace_members(organization, change.workspaces, ARRAY(
            SELECT user_id FROM scim_group_members
            WHERE organization_id = organization AND scim_group_id = change.scim_group_id));
        END LOOP;`,
  ),

  // Statistics may know nothing yet of these rows, so the joins must not be nested loops, and the lists are planned as what
  // they are. Replacing a function replaces its settings too.
  `CREATE OR REPLACE FUNCTION converge_workspace_members(organization text, workspaces uuid[], users text[]) RETURNS void
    LANGUAGE plpgsql SET enable_nestloop = off SET enable_mergejoin = off SET plan_cache_mode = force_custom_plan AS $$
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

  forEachOrganization(
    'take_days_from_key_spend_totals',
    'deleted',
    `keys uuid[];`,
    `keys := ${changedOnes('key_id', 'deleted')};
        -- The lock keeps others from adding to the totals between reading their latest day and writing them.
        PERFORM 1 FROM key_spend_totals WHERE organization_id = organization AND key_id = ANY (keys)
          ORDER BY key_id FOR NO KEY UPDATE;
        UPDATE key_spend_totals AS known SET ${amountsTaken('gone')}
        FROM (
          SELECT latest.key_id, ${sumsOfDays('deleted', 'latest_day')}
          FROM deleted JOIN key_spend_totals AS latest USING (key_id)
          WHERE deleted.organization_id = organization AND latest.organization_id = organization
          GROUP BY latest.key_id
        ) AS gone
        WHERE known.organization_id = organization AND known.key_id = gone.key_id;`,
  ),
];

const FUNCTIONS_DOWN = [
  REMOVE_COUNTS_OF_DELETED,
  ...CONVERGE_BY_RANK,
  CONVERGE_LEFT_MEMBERS,
  CONVERGE_CHANGED_MAPPINGS,
  TAKE_DAYS_FROM_TOTALS,
].map((statement) => statement.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
