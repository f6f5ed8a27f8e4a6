import { GatehouseProcess } from '../../support/gatehouse-process.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-server.js';

describe('a service whose standard output is read by a process that has ended', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => GatehouseProcess.killAll());

  afterAll(() => database.drop());

  it.each([['1'], ['2']])('ends with exit code 0 on SIGTERM with %s workers', async (workers) => {
    const service = GatehouseProcess.service({
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: '11'.repeat(32),
      WORKERS: workers,
    });
    await service.origin();
    service.endReading();

    expect((await service.stop()).code).toBe(0);
  });
});
