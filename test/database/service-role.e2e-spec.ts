import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate, roleOwningAuditTrail } from '../../src/persistence/migrate.js';
import { GenerationPartitionsService } from '../../src/modules/generations/generation-partitions.service.js';
import { AuditVerificationService } from '../../src/modules/audit/audit-verification.service.js';
import { createEmptyDatabase, runOnServer, queryRows, type TestDatabase } from '../support/database/test-database.js';
import { TestApplication } from '../support/application/test-application.js';

const PERMISSION_DENIED = '42501';

/** What a role must not be able to do that serves requests. */
const REFUSED = [
  `UPDATE audit_events SET action = 'thing.other'`,
  'DELETE FROM audit_events',
  'TRUNCATE audit_events',
  `UPDATE audit_links SET actor = 'somebody'`,
  'DELETE FROM audit_links',
  `INSERT INTO audit_links SELECT organization_id, sequence + 1, gen_random_uuid(), hash, actor, action, target_id, created_at
   FROM audit_links`,
  'UPDATE audit_heads SET sequence = 1',
  'DELETE FROM audit_heads',
  `INSERT INTO audit_heads VALUES ('org_other', 1, '')`,
  `INSERT INTO audit_large_changes VALUES (gen_random_uuid(), '', 1, 'org_other')`,
  'DELETE FROM schema_migrations',
  'ALTER TABLE audit_events DISABLE TRIGGER refuse_change',
  'ALTER TABLE audit_events DISABLE TRIGGER ALL',
  'DROP TRIGGER link_event ON audit_events',
  `CREATE TRIGGER another BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
  `CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
  'SET session_replication_role = replica',
  `GRANT UPDATE ON audit_events TO CURRENT_USER; UPDATE audit_events SET action = 'thing.other'`,
  'CREATE TABLE public.surprise (id integer)',
  'CREATE SCHEMA surprise',
  'CREATE ROLE surprise',
  'DROP TABLE audit_links',
  'ALTER TABLE workspaces ADD COLUMN surprise text',
  'TRUNCATE workspaces',
  `DO $$ BEGIN EXECUTE (SELECT format('DROP TABLE %s', min(inhrelid::regclass::text)) FROM pg_inherits
     WHERE inhparent = 'generations'::regclass); END $$`,
  `DO $$ BEGIN EXECUTE (SELECT format('SELECT FROM %s', min(inhrelid::regclass::text)) FROM pg_inherits
     WHERE inhparent = 'generations'::regclass); END $$`,
  `COPY workspaces FROM PROGRAM 'true'`,
  `COPY workspaces TO '/tmp/surprise'`,
  `SELECT pg_read_file('PG_VERSION')`,
  `CREATE TEMPORARY TABLE mine (LIKE audit_events);
   CREATE TRIGGER link AFTER INSERT ON mine FOR EACH ROW EXECUTE FUNCTION link_audit_event()`,
];

describe('the role of the service', () => {
  let database: TestDatabase;
  let role: string;
  let serviceUrl: string;
  let app: TestApplication;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    role = `gatehouse_service_${randomBytes(8).toString('hex')}`;
    await runOnServer(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    serviceUrl = Object.assign(new URL(database.url), { username: role, password: 'secret' }).href;
    await migrate(database.url, serviceUrl);
    app = await TestApplication.start({ database: { ...database, serviceUrl } });
  });

  afterAll(async () => {
    await app.stop();
    await database.drop();
    await runOnServer(process.env['GATEHOUSE_TEST_SERVER_URL']!, `DROP ROLE ${role}`);
  });

  it('may create (201), change (200) and delete (200) through the interface, with each event in the audit chain', async () => {
    const { managementKey: key, organizationId } = await app.factory.organization();
    const { status, body } = await app.api.post<{ data: { id: string } }>('/guardrails', {
      key,
      json: { name: 'one' },
    });
    expect(status).toBe(201);
    expect((await app.api.patch(`/guardrails/${body.data.id}`, { key, json: { name: 'two' } })).status).toBe(200);
    expect((await app.api.delete(`/guardrails/${body.data.id}`, { key })).status).toBe(200);

    const report = await app.application.get(AuditVerificationService).verify(organizationId);
    expect(report).toMatchObject({ events: '4', issues: [] });
  });

  it.each(REFUSED)('may not run %s', async (statement) => {
    await app.factory.organization();
    await expect(queryRows(serviceUrl, statement)).rejects.toMatchObject({ code: PERMISSION_DENIED });
  });

  it('owns nothing, is distinguished from the owner, and is a member of no role', async () => {
    expect(await roleOwningAuditTrail(serviceUrl)).toBeUndefined();
    expect(await roleOwningAuditTrail(database.url)).toBe(new URL(database.url).username);
    expect(await queryRows(serviceUrl, 'SELECT FROM pg_class WHERE relowner = current_user::regrole')).toEqual([]);
    expect(await queryRows(serviceUrl, 'SELECT FROM pg_auth_members WHERE member = current_user::regrole')).toEqual([]);
  });

  it('may have partitions of records made and dropped, which it does not own', async () => {
    await queryRows(
      database.url,
      `CREATE TABLE generations_2020_01 PARTITION OF generations FOR VALUES FROM ('2020-01-01Z') TO ('2020-02-01Z')`,
    );
    await app.application.get(GenerationPartitionsService).keep();

    const partitions = await queryRows(database.url, `SELECT FROM pg_class WHERE relname = 'generations_2020_01'`);
    expect(partitions).toEqual([]);
    expect(app.logLines.join('')).toContain('"made":0,"dropped":1');
  });

  it('gets its rights on new tables with the next migration, and loses superfluous rights', async () => {
    await queryRows(database.url, 'CREATE TABLE future (id integer GENERATED BY DEFAULT AS IDENTITY, name text)');
    await queryRows(database.url, `GRANT UPDATE, TRIGGER ON audit_events TO ${role}`);
    await expect(queryRows(serviceUrl, 'SELECT * FROM future')).rejects.toMatchObject({ code: PERMISSION_DENIED });

    expect(await migrate(database.url, serviceUrl)).toEqual([]);

    await queryRows(serviceUrl, `INSERT INTO future (name) VALUES ('one')`);
    expect(await queryRows(serviceUrl, 'SELECT name FROM future')).toEqual([{ name: 'one' }]);
    const update = queryRows(serviceUrl, `UPDATE audit_events SET action = 'thing.other'`);
    await expect(update).rejects.toMatchObject({ code: PERMISSION_DENIED });
    await queryRows(database.url, 'DROP TABLE future');
  });

  it('keeps its rights unchanged when they are complete', async () => {
    const acls = (): Promise<unknown[]> =>
      queryRows(
        database.url,
        `SELECT xmin, relname, relacl FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 2`,
      );
    const before = await acls();
    await migrate(database.url, serviceUrl);
    expect(await acls()).toEqual(before);
  });

  it('runs no migration, and accepts a migrated database', async () => {
    expect(await migrate(serviceUrl)).toEqual([]);
  });

  it('cannot divert the trigger that links audit events with a temporary table of the same name', async () => {
    const { organizationId } = await app.factory.unrecordedOrganization();
    const client = new pg.Client({ connectionString: serviceUrl });
    await client.connect();
    await client.query('CREATE TEMPORARY TABLE audit_links (LIKE public.audit_links)');
    await client.query('CREATE TEMPORARY TABLE audit_heads (LIKE public.audit_heads)');
    await client.query(
      `INSERT INTO public.audit_events (id, organization_id, actor_kind, action, target_type, target_id, created_at)
       VALUES (gen_random_uuid(), $1, 'command_line', 'thing.change', 'thing', 'one', now())`,
      [organizationId],
    );
    await client.end();
    const report = await app.application.get(AuditVerificationService).verify(organizationId);
    expect(report).toMatchObject({ events: '1', issues: [] });
  });
});
