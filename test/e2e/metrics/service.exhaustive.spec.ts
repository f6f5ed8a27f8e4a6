import { findFreePort } from '../../../src/database/embedded/free-port.js';
import { GatehouseProcess } from '../../support/gatehouse-process.js';
import { sendRawRequest } from '../../support/raw-request.js';
import { scrape, type Scrape, valueOf } from '../../support/scrape.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-server.js';

const TOKEN = 'token-for-tests';

describe('the metrics of a service', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterEach(() => GatehouseProcess.killAll());

  afterAll(() => database.drop());

  const start = (variables: Readonly<Record<string, string>>): GatehouseProcess =>
    GatehouseProcess.service({ DATABASE_URL: database.url, ENCRYPTION_KEY: '11'.repeat(32), ...variables });

  it('are on the port that is configured, by the time that the service is announced', async () => {
    const port = await findFreePort();
    const service = start({ METRICS_PORT: String(port) });
    await service.origin();

    const result = await scrape(`http://127.0.0.1:${port}/metrics`);

    expect(valueOf(result, 'gatehouse_database_pool_max_connections')).toBe(20);
    expect(valueOf(result, 'process_start_time_seconds')).toBeGreaterThan(1.7e9);
    expect((await service.stop()).code).toBe(0);
  });

  it('keep it from starting where their port is taken, which it says by the name of the variable', async () => {
    const port = await findFreePort();
    const first = start({ METRICS_PORT: String(port) });
    await first.origin();

    const { code, stderr } = await start({ METRICS_PORT: String(port) }).end();

    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${port} of 127.0.0.1 is taken by another process. Stop that one, or set METRICS_PORT to a port that is free.\n`,
    );
  });

  it('are those of all its workers, whichever is scraped', async () => {
    const port = await findFreePort();
    const service = start({ METRICS_PORT: String(port), WORKERS: '2' });
    const main = await service.origin();

    // Each connection goes to the next worker.
    for (let count = 0; count < 6; count += 1) await sendRawRequest('GET', `${main}/health/live`, []);

    for (let count = 0; count < 4; count += 1) {
      const result = await scrape(`http://127.0.0.1:${port}/metrics`);
      expect(healthChecksOf(result, '1') + healthChecksOf(result, '2')).toBe(6);
      expect(healthChecksOf(result, '1')).toBeGreaterThan(0);
      expect(healthChecksOf(result, '2')).toBeGreaterThan(0);
      // Each name is introduced once.
      const names = [...result.text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
      expect(new Set(names).size).toBe(names.length);
    }
    expect((await service.stop()).code).toBe(0);
  });

  it('go on under the number of a worker when another takes its place', async () => {
    const service = start({ METRICS_TOKEN: TOKEN, WORKERS: '2' });
    const main = await service.origin();
    const [, processId] = await service.said(/"process_id":(\d+),"message":"Worker 1 listens"/);
    for (let count = 0; count < 2; count += 1) await sendRawRequest('GET', `${main}/health/live`, []);
    const before = await scrape(`${main}/metrics`, TOKEN);

    process.kill(Number(processId), 'SIGKILL');
    await service.said(/"message":"Worker 1 was restarted"/);
    const after = await scrape(`${main}/metrics`, TOKEN);

    expect([healthChecksOf(before, '1'), healthChecksOf(before, '2')]).toEqual([1, 1]);
    expect([healthChecksOf(after, '1'), healthChecksOf(after, '2')]).toEqual([0, 1]);
    const started = (result: Scrape, worker: string): number =>
      valueOf(result, 'process_start_time_seconds', { worker });
    expect(started(after, '1')).toBeGreaterThanOrEqual(started(before, '1'));
    expect(started(after, '2')).toBe(started(before, '2'));
    expect((await service.stop()).code).toBe(0);
  });
});

/** How many health checks a worker has answered. */
function healthChecksOf({ samples }: Scrape, worker: string): number {
  const found = samples.find(
    ({ name, labels }) =>
      name === 'gatehouse_http_request_duration_seconds_count' &&
      labels['operation'] === 'live' &&
      labels['worker'] === worker,
  );
  return found?.value ?? 0;
}
