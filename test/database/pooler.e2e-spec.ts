import { statement } from '../../src/persistence/statement.js';
import { Statements } from '../../src/persistence/statements.js';
import { DatabaseProxy } from './database-proxy.js';
import { TestApplication } from '../support/application/test-application.js';
import { until } from '../support/time/until.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { TransactionPooler } from './transaction-pooler.js';

/** What the readiness check says of the database, with its status. */
async function readinessOf(app: TestApplication): Promise<[number, string]> {
  const response = await fetch(`${app.origin}/health/ready`);
  const { checks } = (await response.json()) as { checks: { database: string } };
  return [response.status, checks.database];
}

describe('a pooler in transaction mode that does not keep prepared statements', () => {
  let database: TestDatabase;
  let pooler: TransactionPooler;
  let app: TestApplication;

  beforeEach(async () => {
    database = await createTestDatabase();
    pooler = await TransactionPooler.open(database.serviceUrl);
    app = await TestApplication.start({ database: { ...database, serviceUrl: pooler.url } });
  });

  afterEach(async () => {
    await app.stop();
    await pooler.close();
    await database.drop();
  });

  it('makes the readiness check answer 503, with one log line that says what to do', async () => {
    expect(await readinessOf(app)).toEqual([503, 'no_prepared_statements']);
    expect(await readinessOf(app)).toEqual([503, 'no_prepared_statements']);
    const lines = app.logLines.filter((line) => line.includes('does not keep prepared statements'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('PgBouncer 1.21 or later');
  });
});

describe('a prepared statement that PostgreSQL has forgotten', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let app: TestApplication;

  beforeEach(async () => {
    database = await createTestDatabase();
    proxy = await DatabaseProxy.open(database.serviceUrl);
    app = await TestApplication.start({ database: { ...database, serviceUrl: proxy.url } });
  });

  afterEach(async () => {
    await app.stop();
    await proxy.close();
    await database.drop();
  });

  const forget = statement<Record<string, unknown>>('test_forget', 'DEALLOCATE ALL');
  const one = statement<Record<string, unknown>>('test_one', 'SELECT 1 AS found');

  it('makes the next readiness check, which answers 200, try prepared statements again', async () => {
    const statements = app.application.get(Statements);
    expect(await readinessOf(app)).toEqual([200, 'up']);
    const before = proxy.opened;
    expect(await readinessOf(app)).toEqual([200, 'up']);
    expect(proxy.opened).toBe(before);

    await statements.rows(one, []);
    await statements.rows(forget, []);
    await expect(statements.rows(one, [])).rejects.toMatchObject({ code: '26000' });

    // One in place of the connection with the statement, and two to try them; what was answered holds for a second.
    await until(async () => (await readinessOf(app))[0] === 200 && proxy.opened === before + 3);
    expect(await statements.rows(one, [])).toEqual([{ found: 1 }]);
  });
});
