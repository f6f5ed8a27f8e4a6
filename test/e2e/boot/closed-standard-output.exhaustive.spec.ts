import { GatehouseProcess } from '../../support/processes/gatehouse-process.js';
import { createTestDatabase, type TestDatabase } from '../../support/database/test-database.js';

describe('a service whose standard output is read by a process that has ended', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => GatehouseProcess.killAll());

  afterAll(() => database.drop());

  it('ends with exit code 0 on SIGTERM', async () => {
    const service = GatehouseProcess.service({
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: '11'.repeat(32),
    });
    await service.origin();
    service.endReading();

    expect((await service.stop()).code).toBe(0);
  });
});
