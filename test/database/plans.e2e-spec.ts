import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { insertForeignRows } from '../../bench/growth/foreign-rows.js';
import { sortedKeys } from '../../src/modules/keys/keys.repository.js';
import type { PageStatement } from '../../src/persistence/page-statement.js';
import type { Statement } from '../../src/persistence/statement.js';
import { REPOSITORIES, resourcesOf, statementsOf } from './named-statements.js';
import { type TableRead, tableReadsOf } from './explained-statements.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

/** In each table that grows, and of each organization: enough of both that no other way to the rows is as good. */
const ROWS = 50_000;
const SHARE = 50;

const MODELS = 2_000;

/** Of two indexes that are as good, another version of PostgreSQL than the one that comes along may take the other. */
const itOnEmbeddedServer = process.env['TEST_DATABASE_URL'] === undefined ? it : it.skip;

/** The tables of the catalog, lists of which have to read all of them; they do not grow with the deployment. */
const CATALOG = [
  'image_endpoints',
  'model_endpoints',
  'model_names',
  'models',
  // One a provider.
  'provider_connections',
  'providers',
];

/** Tables that do not grow. */
const SINGLE_ROWS = [
  'audit_head_log',
  'catalog_edition',
  'encryption_state',
  'provider_connection_edition',
  'schema_migrations',
  // Three at most: the rest are deleted.
  'token_signing_keys',
  // One a process.
  'live_processes',
  // One a deployment: of the organization that CONFIG_DIR is about.
  'configuration_turns',
];

/** What the command line, the first start and each process from time to time ask, and no request. */
const NOT_ASKED_BY_REQUESTS = [
  'organization_first',
  'organizations_overview',
  'organization_removal',
  'organization_removal_keys',
  'organization_removal_lock',
  'organization_removal_members',
  'organization_removal_traces',
  'organization_removal_users',
  'generation_contents_batch',
  'live_processes_forget',
  'spend_blocks_of_processes',
  'spend_reservations_expired',
  'spend_reservations_processes',
];

/** Tables that hold little of an organization, or soon do again. */
const LITTLE_OF_AN_ORGANIZATION = [
  // Two that are live.
  'provisioning_tokens',
  // Few by their quotas.
  'private_endpoints',
  'limits',
  'mcp_servers',
  'private_providers',
  'alert_confirmation_mails',
  'sign_in_connections',
  'sign_in_links',
  'workspaces',
  'workspace_budgets',
  'usage_additions',
  'spend_reservations',
];

/** Statements that read all that a table holds of an organization, by what for. */
const OF_A_WHOLE_ORGANIZATION: Readonly<Record<string, readonly string[]>> = {
  'search in a list of each row': [
    'keys_by_names',
    'client_of_callback',
    'guardrails_naming_inspector',
    'inspector_delete',
    'observability_destinations_replace_key_hash',
    'provider_keys_replace_key_hash',
    'alert_recipient_erase',
  ],
  'count or show all to an operator': [
    'organization_members',
    'organization_members_with_users',
    'scim_deactivated_in_run',
    'scim_deactivation_run',
    'scim_groups_overview',
  ],
  // As many as the quota says at most.
  'count the users that are registered': ['external_users_page'],
  'find the groups that an ID token names': ['scim_groups_misplaced'],
  'look among management keys, which an index has alone': [
    'management_key_by_hash',
    'management_key_lock',
    'management_keys_page',
    'member_keys_follow_roles',
  ],
  'know for which providers an organization has keys, of which it has few': ['provider_keys_providers'],
  // An index has them alone.
  'pass over members who are deactivated': [
    'organization_members_page',
    'organization_users_page',
    'workspace_members_page',
  ],
  'judge who is left when a sign-in takes the role of an administrator': ['organization_active_administrators_lock'],
  'end what directories have said of the people of an issuer': ['member_identities_end_of_directory'],
  'give the issuer of an identity provider another text, once': [
    'member_identities_rename_issuer',
    'scim_issuer_rename',
  ],
  'follow a setting about members who are deactivated': [
    'deactivated_member_keys_reinstate',
    'deactivated_member_keys_suspend',
  ],
  'lock all keys of a workspace that is being deleted': ['workspace_keys_active_default'],
  'look through all records for what a person has left, in parts': ['generations_erase'],
  // With the counters of one batch of records: where an organization has many, each is found by its key.
  'charge the counters of a batch': [
    'generations_insert_limited',
    'generations_insert_limited_broadcast',
    'spend_blocks_release',
  ],
  'bound what is kept of an organization': ['cached_response_room', 'cached_responses_purge'],
  // Of which it has few.
  'know what the alerts of an organization are about': [
    'alerts_alerted_limits',
    'alerts_crossed_combinations',
    'alerts_forecast_combinations',
    'limit_counters_note_refusals',
    'limit_refusal_note',
  ],
  'compare all that files configure with what files say': ['managed_objects_of_owner'],
  'count what has drifted, which an index has alone': ['managed_objects_drifted'],
  'clear away': ['rate_uses_delete_old', 'scim_sync_jobs_delete_old'],
};

/** What refers to rows that no operation deletes. */
const NEVER_DELETED = ['fk_organization_members_user', 'fk_authorization_codes_application'];

/** Whether a statement is that of a list that can be searched and sorted. */
function isViewed(statement: Statement): statement is Statement & Required<PageStatement<object, unknown[]>> {
  return 'viewed' in statement;
}

/** What makes a statement, with the name that it gives it. */
const NAMED =
  /(?:\bname: |(?:[sS]tatement|\bauditedInsert|\brows?ByIds?|\blocking|\blockById|\bdeletionById)(?:<[^(]*>)?\()\s*'([a-z_]+)'/g;

describe('the plans of the statements of requests', () => {
  let database: TestDatabase;
  let client: pg.Client;
  const statements: Statement[] = [];
  const resources: object[] = [];
  const reads: Record<string, readonly TableRead[]> = {};

  beforeAll(async () => {
    for (const file of REPOSITORIES) {
      const exports = (await import(path.resolve(file))) as Record<string, unknown>;
      statements.push(...statementsOf(exports));
      resources.push(...resourcesOf(exports));
    }
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await fillCatalog(client);
    await insertForeignRows((text) => client.query(text), ROWS, SHARE);
    // As autovacuum does: an index that holds all that is asked for is read alone where the rows are known to be visible.
    await client.query('VACUUM oauth_applications');
    for (const statement of statements) reads[statement.name] = await tableReadsOf(client, statement);
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** How the statements of requests come to rows of tables that grow. */
  const requestReads = (): [name: string, read: TableRead][] =>
    Object.entries(reads)
      .filter(([name]) => !NOT_ASKED_BY_REQUESTS.includes(name))
      .flatMap(([name, ofStatement]) => ofStatement.map((read): [string, TableRead] => [name, read]))
      .filter(([, { table }]) => !CATALOG.includes(table) && !SINGLE_ROWS.includes(table));

  it('cover every named statement of a repository', () => {
    const sources = REPOSITORIES.map((file) => readFileSync(file, 'utf8'));
    const named = sources.flatMap((source) => [...source.matchAll(NAMED)].map(([, name]) => name!));
    const ofResources = resources.flatMap((rows) => statementsOf({ rows }).map(({ name }) => name));
    // A setting of a transaction has no plan.
    const all = new Set([...named, ...ofResources].filter((name) => name !== 'one_snapshot'));
    expect(statements.map(({ name }) => name).sort()).toEqual([...all].sort());
    expect(resources).toHaveLength(sources.join().split('new AuditedRows(').length - 1);
    expect(Object.keys(reads)).toHaveLength(statements.length);
  });

  it('are made for tables of a large size', async () => {
    const { rows } = await client.query<{ table: string }>(
      `SELECT relname AS table FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
         AND reltuples < $1 AND relname <> ALL ($2) ORDER BY relname`,
      [ROWS / SHARE, [...CATALOG, ...SINGLE_ROWS]],
    );
    expect(rows.map(({ table }) => table)).toEqual([]);
  });

  it('scan no growing table completely', () => {
    const whole = requestReads().filter(([, { index }]) => index === undefined);
    expect(whole.map(([name, { table }]) => `${name} ${table}`)).toEqual([]);
  });

  itOnEmbeddedServer('read no more of an organization than what they ask for', async () => {
    const { rows } = await client.query<{ index: string }>(
      'SELECT indexrelid::regclass::text AS index FROM pg_index WHERE indisunique AND indnkeyatts = 1',
    );
    // Such an index has one row of an organization at most.
    const ofOneRow = new Set(rows.map(({ index }) => index));
    const wide = requestReads().filter(
      ([, { table, index = '', isNarrow }]) =>
        !isNarrow && !ofOneRow.has(index) && !LITTLE_OF_AN_ORGANIZATION.includes(table),
    );
    expect([...new Set(wide.map(([name]) => name))].sort()).toEqual(
      Object.values(OF_A_WHOLE_ORGANIZATION).flat().sort(),
    );
  });

  itOnEmbeddedServer(
    'find the newest of each list by an index, and search among what an organization has',
    async () => {
      const lists = statements.filter(isViewed);
      expect(lists.length).toBeGreaterThan(14);
      const keys = sortedKeys('-created_at');
      const byTime = lists.filter(({ sorts }) => sorts.includes('created_at'));
      const newest = [...byTime.map((list) => list.viewed({ sort: '-created_at' })), keys];
      for (const { name, text } of newest) {
        const read = await tableReadsOf(client, { ...keys, name: `${name}_newest`, text });
        const tables = new Set(read.map(({ table }) => table));
        for (const { table, isNarrow } of read) if (isNarrow) tables.delete(table);
        expect([name, [...tables].filter((table) => !LITTLE_OF_AN_ORGANIZATION.includes(table))]).toEqual([name, []]);
      }
      for (const list of lists) {
        for (const sort of list.sorts) {
          const searched = list.viewed({ search: 'text', sort });
          const read = await tableReadsOf(client, { ...searched, name: `${searched.name}_by_${sort}` });
          expect([list.name, sort, read.filter(({ index }) => index === undefined)]).toEqual([list.name, sort, []]);
        }
      }
    },
  );

  it('use an index to find rows that refer to a deleted row', async () => {
    const { rows } = await client.query(
      `SELECT c.conname AS constraint, c.conrelid::regclass AS referring FROM pg_constraint c
       WHERE c.contype = 'f' AND c.conname <> ALL ($1) AND NOT EXISTS (
         SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = ANY (c.conkey)
           AND (cardinality(c.conkey) = 1 OR i.indkey[1] = ANY (c.conkey)
             OR i.indkey[0] <> (SELECT attnum FROM pg_attribute WHERE attrelid = i.indrelid AND attname = 'organization_id')))`,
      [NEVER_DELETED],
    );

    expect(rows).toEqual([]);
  });
});

/** More models than there are, so that looking one up is not the same as reading all of them. */
async function fillCatalog(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO models (id, canonical_slug, name, description, created, architecture, pricing, top_provider,
       supported_parameters, in_model_list, in_image_model_list)
     SELECT 'author/model-' || n, 'author/model-' || n || '-2026', 'Model ' || n, 'A model', n,
       '{"output_modalities": ["image"]}', '{}', '{}', '{}', true, n % 10 = 0 FROM generate_series(1, ${MODELS}) AS n`,
  );
  await client.query(`INSERT INTO model_names (name, model_id, kind) SELECT id, id, 'id' FROM models`);
  await client.query(
    `INSERT INTO image_endpoints (model_id, position, provider_slug, supported_parameters, supports_streaming,
       allowed_passthrough_parameters, pricing)
     SELECT id, 0, 'provider', '{}', false, '{}', '[]' FROM models WHERE in_image_model_list`,
  );
  await client.query('ANALYZE');
}
