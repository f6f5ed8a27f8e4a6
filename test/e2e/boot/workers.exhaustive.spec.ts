import { setTimeout as delay } from 'node:timers/promises';
import { ApiClient } from '../../support/api-client.js';
import { DataDirectory } from '../../support/data-directory.js';
import { GatehouseProcess } from '../../support/gatehouse-process.js';
import { sendRawRequest } from '../../support/raw-request.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-server.js';

// Starting processes takes its time where many of them do so at once.

/** A key that nobody has. */
const NO_KEY = '0'.repeat(64);

const NOBODY_LISTENS = 'redis://127.0.0.1:1';

describe('the workers of a service', () => {
  let database: TestDatabase;
  let key: string;
  let service: GatehouseProcess;
  let origin: string;

  beforeAll(async () => {
    database = await createTestDatabase();
    const { stdout } = await GatehouseProcess.command(['init', '--json'], variables());
    key = (JSON.parse(stdout) as { management_key: string }).management_key;
    service = GatehouseProcess.service(variables());
    origin = await service.origin();
  });

  afterAll(async () => {
    await GatehouseProcess.killAll();
    await database.drop();
  });

  const variables = (): Record<string, string> => ({
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: '11'.repeat(32),
    WORKERS: '2',
    KEY_DELETION_RATE_LIMIT: '5',
  });

  /** Twelve attempts, each on a connection of its own, which goes to the next worker. */
  const deletions = async (where: string): Promise<number[]> => {
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const headers = ['Authorization', `Bearer ${key}`];
      statuses.push((await sendRawRequest('DELETE', `${where}/api/v1/keys/${NO_KEY}`, headers)).status);
    }
    return statuses;
  };

  const fiveOfTwelve = [...Array<number>(5).fill(404), ...Array<number>(7).fill(429)];

  it('count rate limits together', async () => {
    expect(await deletions(origin)).toEqual(fiveOfTwelve);
  });

  it('count them together also while Redis does not answer', async () => {
    const other = GatehouseProcess.service({ ...variables(), REDIS_URL: NOBODY_LISTENS });

    expect(await deletions(await other.origin())).toEqual(fiveOfTwelve);
    expect((await other.stop()).code).toBe(0);
  });

  it('are replaced when they are killed or end by themselves', async () => {
    const first = [await processOf(service, 1), await processOf(service, 2)] as const;

    process.kill(first[0], 'SIGKILL');
    await service.said(/"message":"Worker 1 was restarted"/);
    process.kill(first[1], 'SIGTERM');
    await service.said(/"message":"Worker 2 was restarted"/);

    // None that was there at first is left to answer.
    expect(first.map(isAlive)).toEqual([false, false]);
    for (let count = 0; count < 4; count += 1) {
      const answer = await sendRawRequest('GET', `${origin}/api/v1/guardrails`, ['Authorization', `Bearer ${key}`]);
      expect(answer.status).toBe(200);
    }
    expect(service.output).toContain('Worker 1 ended unexpectedly (killed by SIGKILL)');
    expect(service.output).toContain('Worker 2 ended unexpectedly (exit code 0)');
  });

  it('write whole lines to the one log, and end with the service', async () => {
    const api = new ApiClient(`${origin}/api/v1`);
    const path = `/nothing/${'x'.repeat(500)}`;
    // Until they have to wait for room, they do not get in each other's way.
    service.isRead = false;
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 50 }, () => api.get(path, { key })));
    }
    service.isRead = true;
    const { code, stdout, stderr } = await service.stop();

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.match(/Gatehouse is running\./g)).toHaveLength(1);
    const lines = stdout.split('\n').filter((line) => line.includes('"'));
    expect(lines.filter((line) => line.includes('"path":"/api/v1/nothing/'))).toHaveLength(1000);
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  it('end when the process that started them is killed, and the next start finds the embedded data whole', async () => {
    const directory = await DataDirectory.make();
    const embedded = { DATA_DIR: directory.path, WORKERS: '2' };
    const killed = GatehouseProcess.service(embedded);
    const api = new ApiClient(`${await killed.origin()}/api/v1`);
    const [shown] = /mk-gate-v1-\w+/.exec(killed.output)!;
    await api.post('/guardrails', { key: shown, json: { name: 'kept' } });
    const workers = [await processOf(killed, 1), await processOf(killed, 2)];

    killed.signal('SIGKILL');
    while (workers.some(isAlive)) await delay(10);

    const again = GatehouseProcess.service(embedded);
    const { text } = await new ApiClient(`${await again.origin()}/api/v1`).get('/guardrails', { key: shown });
    expect(text).toContain('"name":"kept"');
    expect((await again.stop()).code).toBe(0);
    expect(directory.servers()).toEqual([]);
    await directory.remove();
  });
});

/** The process id that a worker had at first. */
async function processOf(service: GatehouseProcess, worker: number): Promise<number> {
  const [, processId] = await service.said(new RegExp(`"process_id":(\\d+),"message":"Worker ${worker} listens"`));
  return Number(processId);
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}
