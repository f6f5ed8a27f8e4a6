import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type CountedList, countList, ORGANIZATION_SCOPE, WORKSPACE_SCOPE } from '../count-list.js';
import { DatabaseUnusable } from '../database-failures.js';
import { AUDIT } from './baseline/audit.js';
import { CATALOG } from './baseline/catalog.js';
import { DIRECTORY } from './baseline/directory.js';
import { GUARDRAILS } from './baseline/guardrails.js';
import { INFERENCE } from './baseline/inference.js';
import { KEY_SPEND } from './baseline/key-spend.js';
import { KEYS } from './baseline/keys.js';
import { MEMBERSHIPS } from './baseline/memberships.js';
import { OBSERVABILITY } from './baseline/observability.js';
import { ORGANIZATIONS } from './baseline/organizations.js';
import { SIGN_IN } from './baseline/sign-in.js';

/**
 * Makes the schema of release ce0bbf8b, in place of the migrations that it has, and records these, so that ce0bbf8b starts with the database
 * too. A database that they have made stays as it is (docs/operations.md#older-databases).
 *
 * @throws DatabaseUnusable for a database that has only some of them
 */
export class Baseline1798720000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const rows = (await runner.query('SELECT name FROM schema_migrations WHERE name = ANY ($1)', [REPLACED])) as {
      name: string;
    }[];
    if (rows.length === REPLACED.length) return;
    if (rows.length > 0) throw new DatabaseUnusable(tooOld(REPLACED.length - rows.length));
    for (const statement of STATEMENTS) await runner.query(statement);
    for (const list of COUNTED_LISTS) await countList(runner, list);
    await runner.query(
      `INSERT INTO schema_migrations (timestamp, name)
        SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) WITH ORDINALITY AS replaced (name, position) ORDER BY position`,
      [REPLACED],
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const counting = COUNTED_LISTS.map(({ table }) => `count_${table}`);
    await runner.query(`DROP FUNCTION ${[...madeBy(/^CREATE FUNCTION (\w+)/), ...counting].join(', ')} CASCADE`);
    await runner.query(`DROP TABLE ${madeBy(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(/).join(', ')} CASCADE`);
    await runner.query('DELETE FROM schema_migrations WHERE name = ANY ($1)', [REPLACED]);
  }
}

/** The names of what statements make. @param pattern has the name in its group */
function madeBy(pattern: RegExp): string[] {
  return STATEMENTS.flatMap((statement) => pattern.exec(statement)?.[1] ?? []);
}

function tooOld(missing: number): string {
  return (
    `The database is that of a release before ce0bbf8b: ${missing} of the migrations of that release have not run. Nothing was changed. ` +
    'Migrate it with release ce0bbf8b first, and then with this one (docs/operations.md, Older databases).'
  );
}

const STATEMENTS = [
  ...ORGANIZATIONS,
  ...KEYS,
  ...KEY_SPEND,
  ...GUARDRAILS,
  ...CATALOG,
  ...DIRECTORY,
  ...MEMBERSHIPS,
  ...SIGN_IN,
  ...AUDIT,
  ...INFERENCE,
  ...OBSERVABILITY,
];

const COUNTED_LISTS: readonly CountedList[] = [
  ...[
    'organization_members',
    'workspaces',
    'scim_groups',
    'scim_group_mappings',
    'connect_clients',
    'alerts',
    'sign_in_connections',
    'federation_issuers',
    'federation_policies',
    'private_providers',
    'private_endpoints',
  ].map((table) => ({ table, scope: ORGANIZATION_SCOPE })),
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

/** The migrations of release ce0bbf8b, in the order in which they ran. */
const REPLACED = `
  CreateSchema1795219200000 CountLists1795240800000 AuditEvents1795244400000 AuditFilters1795246200000
  WorkspaceSettings1795251600000 MembershipSources1795253400000 GuardrailAssignments1795255200000 KeyRotationAndSpend1795256100000
  ModelEndpoints1795258800000 PresetLists1795262400000 DestinationLists1795266000000 CodeReferences1795269600000
  MappingsOfDeletedWorkspaces1795271400000 KeptMembers1795276800000 CountsOfDeletedLists1795278600000
  PresetStatistics1795280400000 DataRegions1795284000000 ExternalApiKeys1795284100000 ToolChoice1795284200000
  KeySpendTotals1795287600000 NormalizedCallbackUrls1795287700000 ApplicationNumbers1795287800000 DestinationRegions1795294800000
  BoundedAuditChanges1795302000000 ProtectedAuditTrail1795302100000 RoleRanks1795311600000 ApplicationsByOrigin1795315200000
  OrganizationFirst1795401600000 HashesByOrganization1795488000000 ProviderConnections1795574400000 ProviderKeys1795575000000
  Generations1795660800000 SpendWindows1795750200000 SpendReservations1795836600000 RateLimits1795838400000
  UsageTotals1795842000000 UsageAdditions1795845600000 ModelCapabilities1795900300000 ProviderKeyRules1795900500000
  KeySuspensions1795900600000 OwnModels1795900700000 ResponsesDialect1795900800000 DistributedTriggers1795910000000
  DistributedKeys1795910100000 ComparedRoleRanks1795910200000 BroadcastOutbox1796000000000 Alerts1797000000000
  KeyPermissions1798000000000 ManagementKeys1798010000000 MemberStates1798100000000 Provisioning1798200000000
  MassDeactivations1798200100000 SignIn1798300000000 Federation1798400000000 IdempotencyKeys1798500000000
  CloudConnections1798600000000 ConsentSettings1798600000000 GroupClaims1798610000000 PrivateModels1798700000000
  ExternalUsers1798710000000 CachedResponses1798715000000 ConnectionsByInterface1798720000000
`
  .trim()
  .split(/\s+/);
