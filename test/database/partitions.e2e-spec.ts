import pg from 'pg';
import { DEPLOYMENT_CHAIN } from '../../src/modules/audit/deployment-trail.service.js';
import { PooledClient } from '../../src/persistence/pooled-client.js';
import { successfulRequest } from '../operations/complete-organization.js';
import { OPERATION_IDS, OPERATIONS } from '../operations/operations.js';
import { type SampleOrganization, sampleOrganization } from '../operations/sample-organization.js';
import { allStatements, HAS_PLAN } from './named-statements.js';
import {
  createPartitionedDatabase,
  PARTITION_KEY,
  PARTITIONS,
  UNIQUE_ACROSS_ORGANIZATIONS,
} from './partitioned-database.js';
import { partitionsRead } from './partitions-read.js';
import { until } from '../support/time/until.js';
import { TestApplication } from '../support/application/test-application.js';
import type { TestDatabase } from '../support/database/test-database.js';

/** Tables that hold nothing of an organization's, by what they hold. */
const SHARED_TABLES: Readonly<Record<string, readonly string[]>> = {
  'the catalog': ['catalog_edition', 'image_endpoints', 'model_endpoints', 'model_names', 'models', 'providers'],
  'persons, who may be members of several organizations': ['users'],
  'the deployment': [
    'audit_head_log',
    'encryption_state',
    'live_processes',
    'provider_connection_edition',
    'provider_connections',
    'schema_migrations',
    'token_signing_keys',
  ],
};

/** Foreign keys from an organization's rows to a table that all share. */
const REFERENCES_TO_SHARED = ['fk_organization_members_user'];

/** Keys that begin with a hash and have the organization behind it: they also find old credentials, which state none. */
const HASH_FIRST = [
  'uq_api_keys_hash',
  'uq_api_keys_previous_hash',
  'uq_authorization_codes_code_hash',
  'uq_connect_clients_previous_secret_hash',
  'uq_connect_clients_secret_hash',
];

/** Statements that read several partitions, by the reason. */
const SEVERAL_PARTITIONS: Readonly<Record<string, readonly string[]>> = {
  'look up an old credential or code, which says nothing but its hash': [
    'old_key_owner',
    'old_key_owners',
    'old_client_owner',
    'old_authorization_code_by_hash',
  ],
  'look up several keys at once, each in its organization': ['key_owners'],
  'look up what a partner brought, which says nothing but its hash': ['external_key_owner', 'external_key_owners'],
  'of a sign-in page and of a logout token, which state no organization': [
    'organizations_first_two',
    'sign_in_connections_of_clients',
  ],
  'of the operator, who moves a provider to another address': ['provider_key_of_any_organization'],
  'of the command line and the first start, which look for an organization': ['organization_first'],
  'of the command line and in the background, which go through all organizations': [
    'alerts_organizations',
    'alerts_organizations_due',
    'audit_heads_after',
    'audit_next_organization',
    'audit_signs_of_organizations',
    'broadcast_events_delivered',
    'broadcast_organizations_expired',
    'broadcast_payloads_batch',
    'broadcast_queues_by_state',
    'broadcast_queues_due',
    'broadcast_queues_without_destination',
    'broadcast_waiting_deliveries',
    'cached_responses_organizations',
    'generation_contents_batch',
    'inspectors_secrets_batch',
    'managed_objects_drifted',
    'mcp_connections_batch',
    'mcp_servers_secrets_batch',
    'observability_configs_batch',
    'organizations_overview',
    'provider_keys_batch',
    'scim_groups_overview',
    'scim_sync_jobs_due',
    'sign_in_connections_batch',
    'usage_additions_organizations',
  ],
  'what processes that died had reserved, for whichever organization': [
    'live_processes_forget',
    'spend_blocks_of_processes',
    'spend_reservations_expired',
    'spend_reservations_processes',
  ],
};

const MAY_READ_SEVERAL = Object.values(SEVERAL_PARTITIONS).flat();

/** The tables that these statements are about. */
const TABLES_OF_EXCEPTIONS = [
  'alert_deliveries',
  'alert_recipients',
  'alerts',
  'broadcast_deliveries',
  'broadcast_events',
  'broadcast_queues',
  'cached_responses',
  'generations',
  'inspectors',
  'managed_objects',
  'mcp_connections',
  'mcp_servers',
  'organizations',
  'observability_destinations',
  'provider_keys',
  'scim_sync_jobs',
  'sign_in_connections',
  'spend_reservations',
  'usage_additions',
];

interface Named {
  readonly name: string;
  readonly text: string;
}

interface Sent extends Named {
  readonly values: readonly (string | null)[];
}

describe('the tables of organizations, partitioned by organization', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let app: TestApplication;
  let organization: SampleOrganization;

  beforeAll(async () => {
    database = await createPartitionedDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    app = await TestApplication.start({ database });
    organization = await sampleOrganization(app);
    // The gateway then knows that its key has limits.
    const { method, path: requested, ...options } = await successfulRequest(organization, 'countMessageTokens');
    await app.api.send(method, requested, options);
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  /** The tables of which a statement reads several partitions, with their number. */
  const readWidely = async (statement: Named, values: readonly (string | null)[] = []): Promise<string[]> => {
    const read = await partitionsRead(client, { text: statement.text, values }, organization.organizationId);
    return [...read].filter(([, { size }]) => size > 1).map(([table, { size }]) => `${table}: ${size}`);
  };

  describe('are', () => {
    it('all that hold rows of organizations', async () => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_class c WHERE c.relkind = 'r' AND NOT c.relispartition
           AND c.relnamespace = 'public'::regnamespace ORDER BY 1`,
      );
      expect(rows.map(({ name }) => name)).toEqual(
        Object.values(SHARED_TABLES)
          .flat()
          .filter((name) => name !== 'schema_migrations')
          .sort(),
      );
    });

    it('keyed by the organization first', async () => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT o.conname AS name FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
         WHERE c.relkind = 'p' AND o.contype IN ('p', 'u', 'f') AND o.conparentid = 0 AND o.conname <> ALL ($1) AND NOT (
           (SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = o.conkey[1]) = ${PARTITION_KEY}
           AND (o.confrelid = 0 OR (SELECT attname FROM pg_attribute WHERE attrelid = o.confrelid AND attnum = o.confkey[1])
             = CASE WHEN o.confrelid = 'organizations'::regclass THEN 'id' ELSE 'organization_id' END))`,
        [[...REFERENCES_TO_SHARED, ...HASH_FIRST]],
      );
      expect(rows).toEqual([]);
    });

    it('keyed by unique indexes that have the organization first, but for what must be unique across organizations', async () => {
      const rows = await uniqueIndexesWithoutOrganization();
      expect(rows).toEqual([...Object.keys(UNIQUE_ACROSS_ORGANIZATIONS), ...HASH_FIRST].sort());
    });
  });

  it('are read one partition at a time by every statement that there is', async () => {
    const wide: string[] = [];
    for (const statement of await allStatements()) {
      if ((await readWidely(statement)).length > 0) wide.push(statement.name);
    }
    expect(wide.sort()).toEqual([...MAY_READ_SEVERAL].sort());
  });

  describe('are enough for operations:', () => {
    afterAll(() => app.stop());

    it.each(OPERATION_IDS)('%s answers 200 or 201 and reads one partition of each', async (operationId) => {
      const { method, path: requested, ...options } = await successfulRequest(organization, operationId);
      const sent = await sentDuring(async () => {
        const { status } = await app.api.send(method, requested, options);
        expect(status).toBe(OPERATIONS[operationId]!.success);
      });

      expect(sent.length).toBeGreaterThan(0);
      const planned = sent.filter(({ name, text }) => HAS_PLAN.test(text) && !MAY_READ_SEVERAL.includes(name));
      for (const statement of planned) {
        expect([statement.name, ...(await readWidely(statement, statement.values))]).toEqual([statement.name]);
      }
    });
  });

  // Triggers and foreign keys have statements of their own, which the plans of other statements do not show.
  it('have one partition read by triggers and foreign keys', async () => {
    // The server knows what a connection has done when that ends.
    await until(async () => {
      const { rows } = await client.query(
        'SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      return rows.length === 0;
    });
    // That an organization enables SCIM is an event of the deployment's too.
    const { rows } = await client.query<{ table: string; is_own: boolean }>(
      `SELECT c.relname AS table, satisfies_hash_partition(c.oid, ${PARTITIONS}, n, $1::text)
         OR c.relname LIKE 'audit_%' AND satisfies_hash_partition(c.oid, ${PARTITIONS}, n, $3::text) AS is_own
       FROM pg_class c CROSS JOIN generate_series(0, ${PARTITIONS - 1}) AS n
       JOIN pg_stat_user_tables s ON s.relname = c.relname || '_p' || n
       WHERE c.relkind = 'p' AND c.relname <> ALL ($2) AND s.seq_scan + s.idx_scan > 0`,
      [organization.organizationId, TABLES_OF_EXCEPTIONS, DEPLOYMENT_CHAIN],
    );
    expect(rows.filter((row) => row.is_own).length).toBeGreaterThan(15);
    expect(rows.filter((row) => !row.is_own)).toEqual([]);
  });

  async function uniqueIndexesWithoutOrganization(): Promise<string[]> {
    const template = await TestApplication.start();
    try {
      const rows = await template.rows<{ name: string }>(
        `SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
         WHERE c.relnamespace = 'public'::regnamespace AND i.indisunique AND ${PARTITION_KEY} IS NOT NULL
           AND (SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = i.indkey[0]) <> ${PARTITION_KEY}
         ORDER BY 1`,
      );
      return rows.map(({ name }) => name);
    } finally {
      await template.stop();
    }
  }
});

/** The named statements that any connection sends while work goes on, with their parameters. */
async function sentDuring(work: () => Promise<void>): Promise<Sent[]> {
  const query = jest.spyOn(PooledClient.prototype, 'query');
  try {
    await work();
    return query.mock.calls
      .flat()
      .map(({ name = '', text, values = [] }) => ({ name, text, values: values.map(asText) }));
  } finally {
    query.mockRestore();
  }
}

/** A parameter as PostgreSQL reads it. */
function asText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map((item) => JSON.stringify(asText(item))).join(',')}}`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
