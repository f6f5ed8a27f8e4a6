import { sharedApplication } from '../../support/application/shared-application.js';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { poolOf } from '../../../src/persistence/connection-pool.js';
import { Readiness } from '../../../src/http/health/readiness.js';
import { interfaceOf } from '../../support/openapi/described-operations.js';
import { TestApplication } from '../../support/application/test-application.js';

describe('health checks', () => {
  const app = sharedApplication({ topic: 'suite' });
  /** What a test has started for itself. */
  let other: TestApplication | undefined;

  afterEach(async () => {
    await other?.stop();
    other = undefined;
  });

  const check = async (
    name: string,
    headers: Record<string, string> = {},
    { origin } = app,
  ): Promise<[number, unknown]> => {
    const response = await fetch(`${origin}/health/${name}`, { headers });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    return [response.status, await response.json()];
  };

  it('answer 200 that the service is live and ready', async () => {
    expect(await check('live')).toEqual([200, { status: 'live' }]);
    expect(await check('ready')).toEqual([200, { status: 'ready', checks: { service: 'running', database: 'up' } }]);
  });

  it('answer 200 without a credential and with any', async () => {
    for (const authorization of ['Bearer', 'Bearer x', 'Basic x']) {
      expect((await check('live', { authorization }))[0]).toBe(200);
      expect((await check('ready', { authorization }))[0]).toBe(200);
    }
  });

  it('answer 503 for readiness and 200 for liveness while the service stops', async () => {
    other = await TestApplication.start({ database: app.database });
    other.application.get(Readiness).stop();

    expect(await check('ready', {}, other)).toEqual([
      503,
      { status: 'not_ready', checks: { service: 'stopping', database: 'up' } },
    ]);
    expect(await check('live', {}, other)).toEqual([200, { status: 'live' }]);
  });

  it('answer 503 for readiness and 200 for liveness without the database', async () => {
    other = await TestApplication.start();
    await other.database.drop();

    expect(await check('ready', {}, other)).toEqual([
      503,
      { status: 'not_ready', checks: { service: 'running', database: 'down' } },
    ]);
    expect(await check('live', {}, other)).toEqual([200, { status: 'live' }]);
  });

  it('query the database once a second for all requests, also at the same time, and answer 200 to them', async () => {
    other = await TestApplication.start({ database: app.database });
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now);
    let acquired = 0;
    poolOf(other.application.get(DataSource)).on('acquire', () => (acquired += 1));
    try {
      expect((await check('ready', {}, other))[0]).toBe(200);
      const acquiredOnce = acquired;
      expect(acquiredOnce).toBeGreaterThan(0);

      for (let count = 0; count < 20; count += 1) expect((await check('ready', {}, other))[0]).toBe(200);
      expect(acquired).toBe(acquiredOnce);

      clock.mockReturnValue(now + 1_001);
      // The time of the last look is known for a millisecond.
      await delay(5);
      const answers = await Promise.all(Array.from({ length: 20 }, () => check('ready', {}, other)));
      expect(answers.map(([status]) => status)).toEqual(Array.from({ length: 20 }, () => 200));
      expect(acquired).toBe(2 * acquiredOnce);
    } finally {
      clock.mockRestore();
    }
  });

  it('are neither below the path prefix of the interface (404) nor in its document', async () => {
    for (const path of ['/health/live', '/health/ready', '/health']) {
      expect((await app.api.get(path)).status).toBe(404);
    }
    expect((await interfaceOf(app.application)).operations.filter(({ path }) => path.startsWith('/health'))).toEqual(
      [],
    );
  });

  it('stay at their paths (200) when the prefix of the interface changes', async () => {
    other = await TestApplication.start({
      database: app.database,
      variables: { API_BASE_PATH: '/gateway/api' },
    });

    expect((await fetch(`${other.origin}/health/live`)).status).toBe(200);
    expect((await fetch(`${other.origin}/health/ready`)).status).toBe(200);
    expect((await fetch(`${other.origin}/gateway/api/guardrails`)).status).toBe(401);
    expect((await fetch(`${other.origin}/api/v1/guardrails`)).status).toBe(404);
  });
});
