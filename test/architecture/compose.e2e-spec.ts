import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readEnvironment } from '../../src/config/environment.js';
import { migrate, roleOwningAuditTrail } from '../../src/persistence/migrate.js';
import { composeServices, withDefaults } from './compose-file.js';
import { createEmptyDatabase, runOnServer, queryRows, type TestDatabase } from '../support/database/test-database.js';

/** What a container has of its own: its address inside, and no data directory. */
const NOT_PASSED_ON = ['HOST', 'DATA_DIR'];

describe('compose.yaml', () => {
  const services = composeServices();

  it('publishes the port of the service on loopback, and no other port', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.map(withDefaults)).toEqual(['127.0.0.1:3000:3000']);
  });

  it.each(Object.entries(services))('limits memory and processes of %s, and pins its version', (_, service) => {
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.pids_limit).toBeGreaterThan(0);
    expect(service.image).toMatch(
      /^gatehouse(-roles)?$|:\d+\.\d+(\.\d+)?-bookworm$|^mcr\.microsoft\.com\/.*:\d+\.\d+\.\d+$/,
    );
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
  });

  it('starts the analyzer only where its profile is asked for, and no service waits for it', () => {
    const withProfiles = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined);
    expect(withProfiles.map(([name, { profiles }]) => [name, profiles])).toEqual([['analyzer', ['analyzer']]]);
    const awaited = Object.values(services).flatMap((service) => Object.keys(service.depends_on ?? {}));
    expect(awaited).not.toContain('analyzer');
  });

  it('passes every variable of the service on', () => {
    const known = readFileSync('.env.example', 'utf8').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm);
    const names = [...known].map(([, name]) => name!).filter((name) => !NOT_PASSED_ON.includes(name));
    expect(Object.keys(services['gatehouse']!.environment!).sort()).toEqual(names.sort());
  });

  it('runs the same release of PostgreSQL for the server as for the client that makes the roles', () => {
    const { build } = services['roles']!;
    expect(build!.dockerfile_inline).toContain(`FROM ${services['postgres']!.image}\n`);
  });

  it('gives the service a valid environment, with two database roles without superuser rights', () => {
    const variables = Object.fromEntries(
      Object.entries(services['gatehouse']!.environment!).map(([name, value]) => [name, withDefaults(value)]),
    );
    const environment = readEnvironment({ ...variables, ENCRYPTION_KEY: '11'.repeat(32) });
    const roles = [environment.databaseUrl, environment.migrationDatabaseUrl].map((url) => new URL(url!).username);
    expect(roles).toEqual(['gatehouse_service', 'gatehouse_owner']);
    expect(roles).not.toContain(services['postgres']!.environment!['POSTGRES_USER']);
    expect(services['gatehouse']!.depends_on!['roles']).toEqual({ condition: 'service_completed_successfully' });
  });
});

describe('ops/postgres/roles.sql', () => {
  let database: TestDatabase;
  const suffix = randomBytes(8).toString('hex');

  beforeEach(async () => {
    database = await createEmptyDatabase();
  });

  afterEach(async () => {
    await database.drop();
    const server = process.env['GATEHOUSE_TEST_SERVER_URL']!;
    for (const role of ['owner', 'service'])
      await runOnServer(server, `DROP ROLE IF EXISTS gatehouse_${role}_${suffix}`);
  });

  /** As psql runs it, with roles of this test's own. @param url of who runs it */
  const makeRoles = async (url = database.url): Promise<void> => {
    const script = readFileSync('ops/postgres/roles.sql', 'utf8')
      .replaceAll(/^\\.*$/gm, '')
      .replaceAll(/:'(owner|service)_password'/g, `'$1-secret'`)
      .replaceAll(/gatehouse_(owner|service)\b/g, `gatehouse_$1_${suffix}`);
    await queryRows(url, script);
  };

  const urlOf = (role: 'owner' | 'service'): string =>
    Object.assign(new URL(database.url), { username: `gatehouse_${role}_${suffix}`, password: `${role}-secret` }).href;

  it('can be run by the owner of the database, who is no superuser but may create roles', async () => {
    const administrator = `gatehouse_administrator_${suffix}`;
    const name = new URL(database.url).pathname.slice(1);
    await queryRows(
      database.url,
      `CREATE ROLE ${administrator} LOGIN CREATEROLE CREATEDB PASSWORD 'administrator-secret';
       ALTER DATABASE ${name} OWNER TO ${administrator}`,
    );
    const url = Object.assign(new URL(database.url), {
      username: administrator,
      password: 'administrator-secret',
    }).href;

    await makeRoles(url);
    await makeRoles(url);

    await migrate(urlOf('owner'), urlOf('service'));
    expect(await roleOwningAuditTrail(urlOf('service'))).toBeUndefined();
    await queryRows(
      database.url,
      `ALTER DATABASE ${name} OWNER TO CURRENT_USER; REASSIGN OWNED BY gatehouse_owner_${suffix} TO CURRENT_USER;
       DROP OWNED BY gatehouse_service_${suffix}; DROP ROLE gatehouse_owner_${suffix}; DROP ROLE gatehouse_service_${suffix};
       DROP OWNED BY ${administrator}; DROP ROLE ${administrator}`,
    );
  });

  it.each(['an empty database', 'one that was migrated as the superuser'])(
    'creates roles that can migrate and serve %s, and can be run again',
    async (which) => {
      if (which !== 'an empty database') await migrate(database.url);
      await makeRoles();
      await makeRoles();

      await migrate(urlOf('owner'), urlOf('service'));

      expect(await roleOwningAuditTrail(urlOf('service'))).toBeUndefined();
      const owners = await queryRows(
        urlOf('service'),
        'SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = $1',
        ['public'],
      );
      expect(owners).toEqual([{ tableowner: `gatehouse_owner_${suffix}` }]);
      await queryRows(
        urlOf('service'),
        `INSERT INTO audit_events (id, organization_id, actor_kind, action, target_type, target_id, created_at)
         VALUES (gen_random_uuid(), 'org_1', 'command_line', 'thing.change', 'thing', 'one', now())`,
      );
      expect(await queryRows(urlOf('service'), 'SELECT sequence FROM audit_links')).toEqual([{ sequence: '1' }]);
      for (const role of ['owner', 'service'] as const) {
        for (const statement of ['DELETE FROM audit_events', 'SET session_replication_role = replica']) {
          await expect(queryRows(urlOf(role), statement)).rejects.toMatchObject({ code: '42501' });
        }
      }
    },
  );
});
