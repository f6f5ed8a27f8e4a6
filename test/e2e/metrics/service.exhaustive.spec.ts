import { findFreePort } from '../../../packages/embedded-postgres/free-port.js';
import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { scrape, valueOf } from './scrape.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

describe('the metrics of a service', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => GatehouseProcess.killAll());

  afterAll(() => database.drop());

  const start = (variables: Readonly<Record<string, string>>): GatehouseProcess =>
    GatehouseProcess.service({ DATABASE_URL: database.url, ENCRYPTION_KEY: '11'.repeat(32), ...variables });

  it('are answered 200 on the configured port once the service prints its URL', async () => {
    const port = await findFreePort();
    const service = start({ METRICS_PORT: String(port) });
    await service.origin();

    const result = await scrape(`http://127.0.0.1:${port}/metrics`);

    expect(valueOf(result, 'gatehouse_database_pool_max_connections')).toBe(20);
    expect(valueOf(result, 'process_start_time_seconds')).toBeGreaterThan(1.7e9);
    expect((await service.stop()).code).toBe(0);
  });

  it('keep the service from starting when their port is taken, with the name of the variable in the message', async () => {
    const port = await findFreePort();
    const first = start({ METRICS_PORT: String(port) });
    await first.origin();

    const { code, stderr } = await start({ METRICS_PORT: String(port) }).end();

    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} of 127.0.0.1 is taken by another process. Stop that one, or set METRICS_PORT to a port that is free.\n`,
    );
  });
});
