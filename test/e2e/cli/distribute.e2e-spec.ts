import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { organizationTables } from '../../../src/persistence/distribution.js';
import { callsOf, installCitusStandIn } from '../../database/citus-stand-in.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';
import type { Ending } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';

/** The triggers, foreign keys, functions and indexes of a schema, a line for each. */
const OBJECTS = `
  SELECT pg_get_triggerdef(oid) AS line FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
    WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT pg_get_functiondef(oid) || coalesce(proacl::text, '') FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
  ORDER BY 1`;

/** What the command prints as JSON; only what is looked at. */
interface Printed {
  readonly executed: boolean;
  readonly is_empty: boolean;
  readonly local: readonly string[];
  readonly statements: readonly string[];
}

describe('gatehouse distribute', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeEach(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterEach(async () => {
    await client.end();
    await database.drop();
  });

  const distribute = (...words: string[]): Promise<Ending> =>
    runCommand(['distribute', ...words], {
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    });

  const objects = async (): Promise<string[]> =>
    (await client.query<{ line: string }>(OBJECTS)).rows.map(({ line }) => line);

  const nameOfDatabase = (): string => new URL(database.url).pathname.slice(1);

  const addOrganization = (): Promise<unknown> =>
    client.query(`INSERT INTO organizations (id, name, created_at) VALUES ('org_1', 'First', now())`);

  describe('on a database without the extension', () => {
    it('says so, changes nothing and fails', async () => {
      const before = await objects();
      const { code, stderr, stdout } = await distribute('--confirm', nameOfDatabase());

      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`the database ${nameOfDatabase()} does not have the extension citus`);
      expect(await objects()).toEqual(before);
    });
  });

  describe('on a database with the extension', () => {
    beforeEach(() => installCitusStandIn(client));

    it('distributes an empty database: persons first, then organizations, then their rows beside them', async () => {
      const { code, stdout } = await distribute();

      expect(code).toBe(0);
      expect(stdout).toContain('Reference tables, whole on every node: users\n');
      expect(stdout).toContain('beside each other: organizations by id, ');
      expect(stdout).toContain('Local tables, on the coordinator alone: audit_head_log, ');
      expect(stdout.trimEnd().split('\n').at(-1)).toBe('Done.');
      const others = organizationTables().slice(1);
      expect(others.length).toBeGreaterThan(25);
      expect(await callsOf(client)).toEqual([
        'reference users',
        'distributed organizations by id beside none',
        ...others.map(({ table }) => `distributed ${table} by organization_id beside organizations`),
      ]);
    });

    it('leaves everything as it was, but for the index that can be unique in an organization alone', async () => {
      const before = await objects();
      await distribute();

      const unique = before.find((line) => line.includes('uq_api_keys_external_api_key_hash'))!;
      const inOrganization = unique.replace('(external_api_key_hash)', '(external_api_key_hash, organization_id)');
      expect(inOrganization).not.toBe(unique);
      const expected = before.map((line) => (line === unique ? inOrganization : line));
      expect((await objects()).sort()).toEqual(expected.sort());
    });

    it('prints the plan of a database with rows, and how to confirm it, and changes nothing', async () => {
      await addOrganization();
      const before = await objects();
      const { code, stdout } = await distribute();

      expect(code).toBe(0);
      expect(stdout).toContain('with rows of organizations');
      expect(stdout).toContain(
        `Nothing was changed. To distribute it, stop every replica and add --confirm ${nameOfDatabase()}.`,
      );
      expect([await callsOf(client), await objects()]).toEqual([[], before]);
    });

    it('distributes a database with rows when its name confirms it, and clears what stays behind on the coordinator', async () => {
      await addOrganization();
      const { code } = await distribute('--confirm', nameOfDatabase());

      expect(code).toBe(0);
      const calls = await callsOf(client);
      expect(calls.filter((call) => call.startsWith('distributed '))).toHaveLength(organizationTables().length);
      const truncated = calls.filter((call) => call.startsWith('truncated '));
      expect(truncated.slice(0, 2)).toEqual(['truncated users', 'truncated organizations']);
      expect(truncated).toHaveLength(1 + organizationTables().length);
    });

    it('refuses a confirmation for another database', async () => {
      await addOrganization();
      const { code, stderr } = await distribute('--confirm', 'gatehouse');

      expect(code).toBe(1);
      expect(stderr).toContain(`the database is ${nameOfDatabase()}, and not gatehouse`);
      expect(await callsOf(client)).toEqual([]);
    });

    it('refuses while a service is connected', async () => {
      await addOrganization();
      const service = new pg.Client({ connectionString: database.url, application_name: 'gatehouse' });
      await service.connect();
      const { code, stderr } = await distribute('--confirm', nameOfDatabase());
      await service.end();

      expect(code).toBe(1);
      expect(stderr).toContain('1 connections of services or commands are open (gatehouse)');
      expect(await callsOf(client)).toEqual([]);
    });

    it('only prints the plan with --dry-run, as JSON with every statement', async () => {
      const { stdout } = await distribute('--dry-run', '--json');

      const { executed, is_empty, local, statements } = JSON.parse(stdout) as Printed;
      expect({ executed, is_empty }).toEqual({ executed: false, is_empty: true });
      expect(local).toEqual(expect.arrayContaining(['models', 'providers', 'live_processes']));
      expect(statements).toContain(
        `SELECT create_distributed_table('api_keys', 'organization_id', colocate_with => 'organizations')`,
      );
      expect(await callsOf(client)).toEqual([]);
    });

    it('changes nothing when the extension refuses a statement', async () => {
      await client.query(`CREATE OR REPLACE FUNCTION citus_stand_in.create_reference_table(table_name regclass) RETURNS void
        LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no worker answers'; END $$`);
      const before = await objects();
      const { code, stderr } = await distribute();

      expect(code).toBe(1);
      expect(stderr).toBe('Nothing was changed: no worker answers\n');
      expect([await callsOf(client), await objects()]).toEqual([[], before]);
    });

    it('has nothing left to do for tables that are distributed, and distributes those that a later release has added', async () => {
      await client.query(`CREATE TABLE citus_stand_in.pg_dist_partition (logicalrelid regclass);
        INSERT INTO citus_stand_in.pg_dist_partition SELECT relname::regclass FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> 'rate_uses'`);
      // Objects of other owners are not touched.
      expect((await distribute('--dry-run')).stdout).toContain('Dropped and made again: 0 triggers, 1 foreign keys');
      expect((await distribute()).stdout).toContain('Done.');
      expect(await callsOf(client)).toEqual(['distributed rate_uses by organization_id beside organizations']);

      await client.query(`INSERT INTO citus_stand_in.pg_dist_partition VALUES ('rate_uses')`);
      expect(await distribute()).toMatchObject({ code: 0, stdout: 'All tables are distributed already.\n' });
    });
  });

  it('asks for the migrations first on a database that has none', async () => {
    await client.end();
    await database.drop();
    database = await createEmptyDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await installCitusStandIn(client);

    const { code, stderr } = await distribute();

    expect(code).toBe(1);
    expect(stderr).toMatch(/^Nothing was changed: \d+ migrations are pending\. Run `gatehouse migrate` first\.\n$/);
  });
});
