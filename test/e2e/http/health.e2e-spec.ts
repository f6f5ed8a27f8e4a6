import { DataSource } from 'typeorm';
import { poolOf } from '../../../src/database/connection-pool.js';
import { Readiness } from '../../../src/http/health/readiness.js';
import { interfaceOf } from '../../support/operations.js';
import { TestApplication } from '../../support/test-application.js';

describe('health checks', () => {
  let app: TestApplication;

  beforeEach(async () => {
    app = await TestApplication.start();
  });

  afterEach(() => app.stop());

  const check = async (name: string, headers: Record<string, string> = {}): Promise<[number, unknown]> => {
    const response = await fetch(`${app.origin}/health/${name}`, { headers });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    return [response.status, await response.json()];
  };

  it('say that the service runs and is ready', async () => {
    expect(await check('live')).toEqual([200, { status: 'live' }]);
    expect(await check('ready')).toEqual([200, { status: 'ready', checks: { service: 'running', database: 'up' } }]);
  });

  it('need no credential, and look at none', async () => {
    for (const authorization of ['Bearer', 'Bearer x', 'Basic x']) {
      expect((await check('live', { authorization }))[0]).toBe(200);
      expect((await check('ready', { authorization }))[0]).toBe(200);
    }
  });

  it('say that a service that is stopping is not ready, though it lives', async () => {
    app.application.get(Readiness).stop();

    expect(await check('ready')).toEqual([
      503,
      { status: 'not_ready', checks: { service: 'stopping', database: 'up' } },
    ]);
    expect(await check('live')).toEqual([200, { status: 'live' }]);
  });

  it('say that a service without its database is not ready, though it lives', async () => {
    await app.database.drop();

    expect(await check('ready')).toEqual([
      503,
      { status: 'not_ready', checks: { service: 'running', database: 'down' } },
    ]);
    expect(await check('live')).toEqual([200, { status: 'live' }]);
  });

  it('ask the database once in a second, and answer 200 to all checks of it', async () => {
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
    let lent = 0;
    poolOf(app.application.get(DataSource)).on('acquire', () => (lent += 1));
    try {
      expect((await check('ready'))[0]).toBe(200);
      const lentOnce = lent;
      expect(lentOnce).toBeGreaterThan(0);

      for (let count = 0; count < 20; count += 1) expect((await check('ready'))[0]).toBe(200);
      expect(lent).toBe(lentOnce);

      clock.mockReturnValue(now + 1_000);
      expect((await check('ready'))[0]).toBe(200);
      expect(lent).toBeGreaterThan(lentOnce);
    } finally {
      clock.mockRestore();
    }
  });

  it('are no part of the interface: not below its prefix, not in its document', async () => {
    for (const path of ['/health/live', '/health/ready', '/health']) {
      expect((await app.api.get(path)).status).toBe(404);
    }
    expect(interfaceOf(app.application).operations.filter(({ path }) => path.includes('health'))).toEqual([]);
  });

  it('stay where they are when the prefix is another one', async () => {
    const other = await TestApplication.start({ variables: { API_BASE_PATH: '/gateway/api' } });
    try {
      expect((await fetch(`${other.origin}/health/live`)).status).toBe(200);
      expect((await fetch(`${other.origin}/health/ready`)).status).toBe(200);
      expect((await fetch(`${other.origin}/gateway/api/guardrails`)).status).toBe(401);
      expect((await fetch(`${other.origin}/api/v1/guardrails`)).status).toBe(404);
    } finally {
      await other.stop();
    }
  });
});
