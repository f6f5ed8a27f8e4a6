import type { Demonstration } from '../../src/cli/demo/demonstration.js';
import { idOf } from './bulk.js';

/** Where the numbers of ids begin for a tenant: each has a range of its own. */
const RANGE = 10_000_000;

/** What the ids of each table begin with. */
const MEMBER = 101;
const WORKSPACE_MEMBER = 102;
const GUARDRAIL = 103;
const GROUP = 104;
const MAPPING = 105;
const VERSION = 106;

const TIME = `now() + n * interval '1 millisecond'`;

/**
 * Statements that bring each list of a tenant to a length.
 *
 * @param index identifies the tenant in its database
 */
export function tenantRows(tenant: Demonstration, index: number, length: number): string[] {
  const organization = `'${tenant.organization_id}'`;
  const id = (table: number): string => idOf(table, `${index * RANGE} + n`);
  const user = `'user_own_${index}_' || n`;
  // The tenant has some rows in most of the lists already.
  const from = (present: number): string => `FROM generate_series(${present + 1}, ${length}) AS n`;
  return [
    `INSERT INTO users (id, name, email, created_at) SELECT ${user}, 'User', 'user@example.com', ${TIME} ${from(3)}`,
    `INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
     SELECT ${id(MEMBER)}, ${organization}, ${user}, 'member', ${TIME} ${from(3)}`,
    `INSERT INTO workspace_members (id, organization_id, workspace_id, user_id, role, manual_role, created_at)
     SELECT ${id(WORKSPACE_MEMBER)}, ${organization}, '${tenant.workspace.id}', ${user}, 'member', 'member', ${TIME} ${from(3)}`,
    `INSERT INTO guardrails (id, organization_id, workspace_id, name, limit_usd, reset_interval, include_byok_in_budgets, created_at)
     SELECT ${id(GUARDRAIL)}, ${organization}, '${tenant.default_workspace.id}', 'Guardrail ' || n, 100, 'monthly', false, ${TIME} ${from(0)}`,
    `INSERT INTO scim_groups (id, organization_id, display_name, created_at, updated_at)
     SELECT ${id(GROUP)}, ${organization}, 'Group ' || n, ${TIME}, ${TIME} ${from(0)}`,
    `INSERT INTO scim_group_mappings (id, organization_id, scim_group_id, workspace_id, role, created_at, updated_at)
     SELECT ${id(MAPPING)}, ${organization}, ${id(GROUP)}, '${tenant.workspace.id}', 'member', ${TIME}, ${TIME} ${from(0)}`,
    `INSERT INTO preset_versions (id, organization_id, preset_id, version, config, creator_id, created_at, updated_at)
     SELECT ${id(VERSION)}, ${organization}, preset.id, n, '{"model": "openai/gpt-5.5", "temperature": 0.5}', '${tenant.user_id}', ${TIME}, ${TIME}
     ${from(3)} CROSS JOIN (SELECT id FROM presets WHERE organization_id = ${organization} AND slug = '${tenant.preset_slug}') AS preset`,
  ];
}
