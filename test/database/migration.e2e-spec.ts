import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DataSource, getMetadataArgsStorage } from 'typeorm';
import { connectionOptions } from '../../src/persistence/connection-options.js';
import { countList, stopCountingList } from '../../src/persistence/count-list.js';
import { defaultGuardrailIdOf } from '../../src/persistence/identifiers.js';
import { migrate } from '../../src/persistence/migrate.js';
import { GuardrailAssignments1795255200000 } from '../../src/persistence/migrations/1795255200000-guardrail-assignments.js';
import { ROLE_RANK_FUNCTIONS } from '../../src/persistence/migrations/1795311600000-role-ranks.js';
import { MIGRATIONS } from '../../src/persistence/migrations/index.js';
import { inOwnerTransaction } from '../support/database/privileged-connections.js';
import { describeSchema, describeTables, MIGRATIONS_TABLE, namedObjects } from './schema-description.js';
import { TestApplication } from '../support/application/test-application.js';
import { newTenant, type Tenant } from '../support/resources/tenant.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

/** The lists whose rows triggers count, with what they are counted by. */
const COUNTED_LISTS: Readonly<Record<string, string | readonly string[]>> = {
  organization_members: 'organization_id',
  workspaces: 'organization_id',
  workspace_members: `organization_id || '/' || workspace_id`,
  guardrails: `organization_id || '/' || workspace_id`,
  guardrail_key_assignments: ['organization_id', `organization_id || '/' || guardrail_id`],
  guardrail_member_assignments: ['organization_id', `organization_id || '/' || guardrail_id`],
  scim_groups: 'organization_id',
  scim_group_mappings: 'organization_id',
  observability_destinations: `organization_id || '/' || workspace_id`,
  connect_clients: 'organization_id',
  presets: `organization_id || '/' || workspace_id`,
};

/** A name that says what it is, and so was not made up by PostgreSQL or TypeORM. */
const EXPLICIT_NAME = /^(pk|uq|ck|fk|ix)_[a-z0-9_]+$/;

const NAMES = MIGRATIONS.map((migration) => migration.name);

describe('the migrations', () => {
  let app: TestApplication;
  /** The application's own connection. Its database is not changed but by adding rows. */
  let dataSource: DataSource;
  /** The databases of the test that runs, by what makes them. */
  const databases = new Map<() => Promise<TestDatabase>, Promise<TestDatabase>>();

  beforeAll(async () => {
    app = await TestApplication.start();
    dataSource = app.application.get(DataSource);
  });

  afterEach(async () => {
    for (const database of databases.values()) await (await database).drop();
    databases.clear();
  });

  afterAll(() => app.stop());

  /** The database that a test has of some make: the same one for the whole test. @returns its URL */
  const urlOf = async (create: () => Promise<TestDatabase>): Promise<string> => {
    if (!databases.has(create)) databases.set(create, create());
    return (await databases.get(create)!).url;
  };

  const migratedUrl = (): Promise<string> => urlOf(createTestDatabase);

  const emptyUrl = (): Promise<string> => urlOf(createEmptyDatabase);

  /** A connection of its own, with the entities of the application. */
  const connect = async (url: string): Promise<DataSource> => {
    const entities = dataSource.entityMetadatas.map(({ target }) => target);
    return new DataSource({ ...connectionOptions(url), entities }).initialize();
  };

  const withConnection = async <T>(url: string, work: (connection: DataSource) => Promise<T>): Promise<T> => {
    const connection = await connect(url);
    try {
      return await work(connection);
    } finally {
      await connection.destroy();
    }
  };

  /** What TypeORM would change to make the database what the entities say. */
  const drift = async (connection: DataSource): Promise<string[]> => {
    const { upQueries } = await connection.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  };

  const recorded = (connection: DataSource): Promise<{ name: string }[]> =>
    connection.query(`SELECT name FROM ${MIGRATIONS_TABLE} ORDER BY id`);

  describe('and the entities', () => {
    it('define the same schema: TypeORM would change nothing', async () => {
      expect(dataSource.entityMetadatas.length).toBeGreaterThanOrEqual(20);
      expect(await drift(dataSource)).toEqual([]);
    });

    it.each([
      'ALTER TABLE workspaces ADD COLUMN surprise text',
      'ALTER TABLE workspaces DROP COLUMN description',
      'ALTER TABLE workspaces ALTER COLUMN description SET NOT NULL',
      'ALTER TABLE workspaces ALTER COLUMN created_at TYPE timestamptz(6)',
      'ALTER TABLE organizations ALTER COLUMN scim_enabled DROP DEFAULT',
      'ALTER TABLE workspaces DROP CONSTRAINT uq_workspaces_organization_slug',
      'ALTER TABLE guardrails DROP CONSTRAINT ck_guardrails_limit',
      'ALTER TABLE scim_group_mappings DROP CONSTRAINT fk_scim_group_mappings_group',
      'DROP INDEX ix_guardrails_page',
      'CREATE INDEX ix_surprise ON guardrails (name)',
      'DROP TABLE workspace_budgets',
    ])('are reported as different after %s', async (statement) => {
      await withConnection(await migratedUrl(), async (connection) => {
        expect(await drift(connection)).toEqual([]);
        await connection.query(statement);
        expect(await drift(connection)).not.toEqual([]);
      });
    });

    // TypeORM compares a check or a condition by its name alone, and no table that it does not know.
    it('create the same tables, down to every expression', async () => {
      const synchronized = await withConnection(await emptyUrl(), async (connection) => {
        // A check calls them, and no entity declares functions.
        for (const statement of ROLE_RANK_FUNCTIONS) await connection.query(statement);
        await connection.synchronize();
        // No entity can declare which columns of a foreign key are set to null.
        await connection.query(`ALTER TABLE authorization_codes DROP CONSTRAINT fk_authorization_codes_issued_key,
          ADD CONSTRAINT fk_authorization_codes_issued_key FOREIGN KEY (organization_id, issued_key_id)
            REFERENCES api_keys (organization_id, id) ON DELETE SET NULL (issued_key_id)`);
        return describeTables(connection);
      });

      const tables = await describeTables(dataSource);
      expect(tables.length).toBeGreaterThan(200);
      expect(tables).toEqual(synchronized);
    });

    it.each([
      'CREATE TABLE surprise (id integer)',
      `ALTER TABLE guardrails DROP CONSTRAINT ck_guardrails_limit, ADD CONSTRAINT ck_guardrails_limit CHECK (limit_usd > 0)`,
      'DROP INDEX uq_workspaces_default; CREATE UNIQUE INDEX uq_workspaces_default ON workspaces (organization_id) WHERE NOT is_default',
    ])('are described differently after %s', async (statement) => {
      await withConnection(await migratedUrl(), async (connection) => {
        const before = await describeTables(connection);
        await connection.query(statement);
        expect(await describeTables(connection)).not.toEqual(before);
      });
    });
  });

  describe('name every constraint and index', () => {
    it('after its table and its purpose', async () => {
      const objects = await namedObjects(dataSource);

      expect(objects.length).toBeGreaterThan(60);
      const unnamed = objects.filter(({ name }) => !EXPLICIT_NAME.test(name));
      expect(unnamed).toEqual([]);
      const misplaced = objects.filter(({ table_name: table, name }) => !name.slice('pk_'.length).startsWith(table));
      expect(misplaced).toEqual([]);
    });

    it.each([
      'CREATE TABLE surprise (id integer PRIMARY KEY)',
      'ALTER TABLE guardrails ADD CHECK (limit_usd < 5)',
      'ALTER TABLE guardrails ADD UNIQUE (name)',
      'ALTER TABLE guardrails ADD FOREIGN KEY (workspace_id, organization_id) REFERENCES workspaces (id, organization_id)',
      'CREATE INDEX ON guardrails (name)',
      'CREATE INDEX "IDX_0123456789abcdef" ON guardrails (name)',
    ])('which is reported as missing after %s', async (statement) => {
      await withConnection(await migratedUrl(), async (connection) => {
        await connection.query(
          'ALTER TABLE workspaces ADD CONSTRAINT uq_workspaces_for_this_test UNIQUE (id, organization_id)',
        );
        await connection.query(statement);
        const unnamed = (await namedObjects(connection)).filter(({ name }) => !EXPLICIT_NAME.test(name));
        expect(unnamed).toHaveLength(1);
      });
    });
  });

  describe('run', () => {
    it('once, and not a second time', async () => {
      expect(await migrate(await emptyUrl())).toEqual(NAMES);
      expect(await migrate(await emptyUrl())).toEqual([]);

      await withConnection(await emptyUrl(), async (connection) => {
        expect(await recorded(connection)).toEqual(NAMES.map((name) => ({ name })));
        expect(await drift(connection)).toEqual([]);
      });
    });

    it('once when three replicas start at the same time', async () => {
      const ran = await Promise.all([migrate(await emptyUrl()), migrate(await emptyUrl()), migrate(await emptyUrl())]);

      expect(ran.flat()).toEqual(NAMES);
      expect(ran.filter((names) => names.length > 0)).toEqual([NAMES]);
      await withConnection(await emptyUrl(), async (connection) => {
        expect(await recorded(connection)).toEqual(NAMES.map((name) => ({ name })));
        expect(await drift(connection)).toEqual([]);
      });
    });

    it('down to an empty schema, and up again to the same one', async () => {
      await migrate(await emptyUrl());

      await withConnection(await emptyUrl(), async (connection) => {
        const before = await describeSchema(connection);
        for (let left = NAMES.length; left > 0; left -= 1) await connection.undoLastMigration();
        expect(await describeSchema(connection)).toEqual([]);
        expect(await recorded(connection)).toEqual([]);

        await connection.runMigrations();
        expect(await describeSchema(connection)).toEqual(before);
        expect(await drift(connection)).toEqual([]);
      });
      expect(await migrate(await emptyUrl())).toEqual([]);
    });

    it('in one transaction: a failing one leaves nothing behind, and the next attempt succeeds', async () => {
      await withConnection(await emptyUrl(), (connection) => connection.query('CREATE TABLE presets (id integer)'));
      // TypeORM says it to the console as well.
      const console_ = jest.spyOn(console, 'log').mockImplementation();
      await expect(migrate(await emptyUrl())).rejects.toThrow('"presets" already exists');
      console_.mockRestore();

      await withConnection(await emptyUrl(), async (connection) => {
        const tables = await connection.query<{ tablename: string }[]>(
          `SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
        );
        expect(tables.map(({ tablename }) => tablename)).toEqual(['presets', MIGRATIONS_TABLE]);
        await connection.query('DROP TABLE presets');
      });
      expect(await migrate(await emptyUrl())).toEqual(NAMES);
    });

    it('to a schema that allows one default workspace for each organization', async () => {
      const { organizationId } = await app.factory.organization();

      await expect(
        app.rows(
          `INSERT INTO workspaces (id, organization_id, name, slug, is_default, default_guardrail_id, created_at)
           VALUES (gen_random_uuid(), $1, 'Second', 'second', true, gen_random_uuid(), now())`,
          [organizationId],
        ),
      ).rejects.toThrow('uq_workspaces_default');
    });
  });

  it('set the default guardrail id of existing workspaces', async () => {
    await withConnection(await emptyUrl(), async (connection) => {
      const runner = connection.createQueryRunner();
      const before = MIGRATIONS.slice(0, MIGRATIONS.indexOf(GuardrailAssignments1795255200000));
      await runner.startTransaction();
      for (const migration of before) await new migration().up(runner);
      await runner.query(`INSERT INTO organizations (id, name, created_at) VALUES ('org_1', 'First', now())`);
      await runner.query(`INSERT INTO workspaces (id, organization_id, name, slug, created_at)
        SELECT gen_random_uuid(), 'org_1', 'Workspace', 'workspace-' || n, now() FROM generate_series(1, 3) AS n`);

      await new GuardrailAssignments1795255200000().up(runner);
      await runner.commitTransaction();

      const workspaces = (await runner.query('SELECT id, default_guardrail_id FROM workspaces')) as {
        id: string;
        default_guardrail_id: string;
      }[];
      expect(workspaces).toHaveLength(3);
      expect(workspaces.map((workspace) => workspace.default_guardrail_id)).toEqual(
        workspaces.map(({ id }) => defaultGuardrailIdOf(id)),
      );
      await runner.release();
    });
  });

  describe('count the rows of lists', () => {
    /** The lists whose count is not the number of their rows. */
    const miscounted = (connection: DataSource): Promise<unknown[]> =>
      connection.query(
        `SELECT * FROM (${Object.entries(COUNTED_LISTS)
          .flatMap(([table, scopes]) => [scopes].flat().map((scope) => [table, scope]))
          .map(
            ([table, scope]) =>
              `SELECT '${table}' AS list, ${scope} AS scope, count(*) AS rows FROM ${table} WHERE ${scope} IS NOT NULL GROUP BY 2`,
          )
          .join(' UNION ALL ')}) AS actual
         FULL JOIN (SELECT list, scope, sum(row_count) AS counted FROM list_counts GROUP BY 1, 2) AS kept USING (list, scope)
         WHERE coalesce(rows, 0) <> coalesce(counted, 0)`,
      );

    const totalOf = async (path: string, tenant: Tenant): Promise<number> => {
      const { body } = await app.api.get<{ total_count: number }>(path, { key: tenant.managementKey });
      return body.total_count;
    };

    it('that exist when the counters are created', async () => {
      const tenant = await newTenant(app, 'tenant');
      await inOwnerTransaction(app, async (runner) => {
        for (const table of Object.keys(COUNTED_LISTS)) await stopCountingList(runner, table);
        await runner.query('DELETE FROM list_counts');
        await runner.query(`UPDATE guardrails SET workspace_id = NULL WHERE workspace_id = $1`, [
          tenant.otherWorkspaceId,
        ]);
        for (const [table, scopes] of Object.entries(COUNTED_LISTS)) {
          const [scope, secondScope] = [scopes].flat();
          await countList(runner, { table, scope: scope!, ...(secondScope !== undefined && { secondScope }) });
        }
      });

      expect(await miscounted(dataSource)).toEqual([]);
      // A guardrail from before workspaces is in no list.
      const totals = await Promise.all(
        [tenant.otherWorkspaceId, tenant.workspaceId].map((id) => totalOf(`/guardrails?workspace_id=${id}`, tenant)),
      );
      expect(totals).toEqual([0, 1]);
    });

    it('through concurrent changes, rollbacks and cascading deletes', async () => {
      const [tenant, other] = [await newTenant(app, 'tenant'), await newTenant(app, 'other')];
      expect(await miscounted(dataSource)).toEqual([]);

      await Promise.all(
        Array.from({ length: 30 }, () =>
          app.api.post('/guardrails', { key: tenant.managementKey, json: { name: 'One of many' } }),
        ),
      );
      await app.rows(
        `INSERT INTO scim_group_mappings (id, organization_id, scim_group_id, workspace_id, role, created_at, updated_at)
         SELECT gen_random_uuid(), g.organization_id, g.id, w.id, 'member', now(), now()
         FROM scim_groups g JOIN workspaces w USING (organization_id) ON CONFLICT DO NOTHING`,
      );
      await expect(
        dataSource.transaction(async (manager) => {
          await manager.query('DELETE FROM guardrails');
          await manager.query('DELETE FROM organization_members WHERE user_id = $1', [tenant.memberId]);
          throw new Error('on second thoughts');
        }),
      ).rejects.toThrow('on second thoughts');
      expect(await miscounted(dataSource)).toEqual([]);
      const { body } = await app.api.get<{ total_count: number }>('/scim/group-mappings', {
        key: tenant.managementKey,
      });
      expect(body.total_count).toBe(4);

      await app.rows('DELETE FROM organization_members WHERE user_id = $1', [tenant.memberId]);
      await app.rows('DELETE FROM workspaces WHERE id = $1', [tenant.otherWorkspaceId]);
      await app.rows('DELETE FROM scim_groups WHERE organization_id = $1', [other.organizationId]);
      await app.rows('DELETE FROM organizations WHERE id = $1', [other.organizationId]);
      expect(await miscounted(dataSource)).toEqual([]);
      expect(await totalOf('/guardrails', tenant)).toBe(31);
    });
  });

  describe('are available to the TypeORM command line', () => {
    it('with the options and entities of the application', async () => {
      const targets = ({ entityMetadatas }: DataSource): unknown[] => entityMetadatas.map(({ target }) => target);
      const known = targets(dataSource);
      // Other tests of the same process may have declared entities of their own.
      const metadata = getMetadataArgsStorage();
      const declared = jest.replaceProperty(
        metadata,
        'tables',
        metadata.tables.filter(({ target }) => known.includes(target)),
      );
      const environment = jest.replaceProperty(process, 'env', { DATABASE_URL: await migratedUrl() });
      const { default: commandLine } = await import('../../ormconfig.js');
      environment.restore();
      declared.restore();

      await commandLine.initialize();
      try {
        expect(new Set(targets(commandLine))).toEqual(new Set(known));
        expect(targets(commandLine)).toHaveLength(known.length);
        expect(await drift(commandLine)).toEqual([]);
        expect(await commandLine.showMigrations()).toBe(false);
      } finally {
        await commandLine.destroy();
      }
    });

    it('as the command itself lists them', async () => {
      const show = async (): Promise<string> => {
        const arguments_ = ['node_modules/typeorm/cli.js', '-d', 'dist/ormconfig.js', 'migration:show'];
        const { stdout } = await promisify(execFile)('node', arguments_, {
          env: { PATH: process.env['PATH'], DATABASE_URL: await emptyUrl() },
        });
        return stdout;
      };

      expect(await show()).toContain(`[ ] ${NAMES[0]}`);
      await migrate(await emptyUrl());
      expect(await show()).toMatch(new RegExp(`\\[X\\] \\d+ ${NAMES[0]}`));
    });
  });
});
