import { createTestDatabase, queryRows, type TestDatabase } from '../support/database/test-database.js';
import { TestApplication } from '../support/application/test-application.js';
import { statement } from '../../src/persistence/statement.js';
import { Statements } from '../../src/persistence/statements.js';

const SETTINGS = statement<Record<string, unknown>>(
  'test_distributed_settings',
  `SELECT current_setting('plan_cache_mode') AS plans, current_setting('jit') AS compiled,
    current_setting('citus.multi_shard_modify_mode', true) AS connections`,
);

describe('a connection of the service', () => {
  let database: TestDatabase;

  beforeAll(async () => (database = await createTestDatabase()));

  afterAll(() => database.drop());

  const settings = async (options = ''): Promise<unknown> => {
    const url = new URL(database.serviceUrl);
    url.searchParams.set('options', options);
    const app = await TestApplication.start({ database: { ...database, serviceUrl: url.href } });
    const found = await app.application.get(Statements).first(SETTINGS, []);
    await app.stop();
    return found;
  };

  it('has nothing of citus in a database without that extension', async () => {
    expect(await settings()).toEqual({ plans: 'force_generic_plan', compiled: 'off', connections: null });
  });

  it('plans statements for their parameters, and takes one connection to each node, where the extension is, unless the URL says otherwise', async () => {
    await queryRows(database.url, 'CREATE TABLE pg_dist_partition (logicalrelid regclass)');

    expect(await settings()).toEqual({ plans: 'auto', compiled: 'off', connections: 'sequential' });
    expect(
      await settings('-c plan_cache_mode=force_custom_plan -c citus.multi_shard_modify_mode=parallel'),
    ).toMatchObject({ plans: 'force_custom_plan', connections: 'parallel' });
  });
});
