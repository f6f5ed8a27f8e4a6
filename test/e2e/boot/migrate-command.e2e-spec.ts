import { MIGRATIONS } from '../../../src/persistence/migrations/index.js';
import { createEmptyDatabase, queryRows, type TestDatabase } from '../../support/database/test-database.js';
import type { Ending } from '../../support/processes/gatehouse-process.js';
import { runCommand } from '../../support/processes/run-command.js';

// Each test stands on what the one before it has left in a database that was empty at first.
describe('gatehouse migrate', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });

  afterAll(() => database.drop());

  const gatehouse = (...words: string[]): Promise<Ending> =>
    runCommand(words, { DATABASE_URL: database.url, ENCRYPTION_KEY: '11'.repeat(32), DATABASE_WAIT_MS: '0' });

  it('runs every migration, and prints their names', async () => {
    const { code, stdout, stderr } = await gatehouse('migrate', '--json');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ migrations: MIGRATIONS.map(({ name }) => name) });
    expect(await queryRows(database.url, 'SELECT id FROM organizations')).toEqual([]);
  });

  it('says that there is nothing to do', async () => {
    expect(await gatehouse('migrate')).toMatchObject({ code: 0, stdout: 'The database is up to date.\n' });
  });

  it('needs no encryption key, which every other command needs', async () => {
    const variables = { DATABASE_URL: database.url, DATABASE_WAIT_MS: '0' };

    expect(await runCommand(['migrate'], variables)).toMatchObject({
      code: 0,
      stdout: 'The database is up to date.\n',
    });
    const { code, stderr } = await runCommand(['organization', 'list'], variables);
    expect(code).toBe(1);
    expect(stderr).toContain('ENCRYPTION_KEY is required with DATABASE_URL');
  });

  it('is what other commands ask for before they touch a database that may serve an earlier release', async () => {
    const last = MIGRATIONS.at(-1)!.name;
    await queryRows(database.url, 'DELETE FROM schema_migrations WHERE name = $1', [last]);

    const { code, stdout, stderr } = await gatehouse('init');

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^The database is that of an earlier release: 1 of its migrations [^\n]*`gatehouse migrate`[^\n]*\n$/,
    );
    expect(await queryRows(database.url, 'SELECT name FROM schema_migrations WHERE name = $1', [last])).toEqual([]);
    expect(await queryRows(database.url, 'SELECT id FROM organizations')).toEqual([]);
  });

  it('says in one line that the database cannot be reached, as every command does', async () => {
    const variables = {
      DATABASE_URL: 'postgres://127.0.0.1:1/gatehouse',
      ENCRYPTION_KEY: '11'.repeat(32),
      DATABASE_WAIT_MS: '0',
    };

    for (const command of ['migrate', 'init']) {
      expect(await runCommand([command], variables)).toEqual({
        code: 1,
        signal: null,
        stdout: '',
        stderr: 'PostgreSQL at 127.0.0.1:1/gatehouse cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
      });
    }
  });
});

describe('gatehouse --version', () => {
  it('prints the version of package.json', async () => {
    const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });

    expect(await runCommand(['--version'], {})).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
  });
});
