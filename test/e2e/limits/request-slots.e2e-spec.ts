import type { Answer } from '../../support/api-client.js';
import { TestApplication } from '../../support/test-application.js';
import { until } from '../../support/until.js';
import { lockRows, untilWaiting } from '../../support/row-lock.js';

const POOL_SIZE = 6;

/** What one organization has of the pool. */
const SHARE = POOL_SIZE / 2;

describe('requests of one organization at once', () => {
  let app: TestApplication;

  beforeAll(async () => {
    app = await TestApplication.start({ variables: { DATABASE_POOL_SIZE: String(POOL_SIZE) } });
  });

  afterAll(() => app.stop());

  it('take half of the connections at most, so that another organization is answered 200 while they wait', async () => {
    const [busy, other] = [await app.factory.organization(), await app.factory.organization()];
    const release = await lockRows(app, 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE', [busy.workspaceId]);
    const changes = Array.from({ length: 20 }, (_, number) =>
      app.api.patch(`/workspaces/${busy.workspaceId}`, { key: busy.managementKey, json: { name: `Name ${number}` } }),
    );
    await untilWaiting(app, SHARE);

    for (let read = 0; read < 5; read += 1) {
      expect((await app.api.get('/workspaces', { key: other.managementKey })).status).toBe(200);
    }

    const waiting = await app.rows(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting).toHaveLength(SHARE);
    await release();
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(changes.map(() => 200));
  });

  it('are answered 429 with Retry-After beyond those that wait, and 200 those that wait', async () => {
    const organization = await app.factory.organization();
    const key = organization.managementKey;
    const release = await lockRows(app, 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE', [
      organization.workspaceId,
    ]);
    const settled: Answer[] = [];
    const changes = Array.from({ length: SHARE + 500 + 10 }, async (_, number) => {
      const json = { name: `Name ${number}` };
      settled.push(await app.api.patch(`/workspaces/${organization.workspaceId}`, { key, json }));
    });
    await until(() => Promise.resolve(settled.length >= 10));

    for (const { status, body, headers } of settled) {
      expect(status).toBe(429);
      expect(body).toMatchObject({ error: { metadata: { reason: 'too_many_concurrent_requests' } } });
      expect(headers.get('retry-after')).toBe('1');
    }
    await release();
    await Promise.all(changes);
    expect(settled.filter(({ status }) => status === 200)).toHaveLength(SHARE + 500);
  });

  it('give their places back when their clients leave before their turn', async () => {
    const organization = await app.factory.organization();
    const url = `${app.origin}/api/v1/workspaces/${organization.workspaceId}`;
    const release = await lockRows(app, 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE', [
      organization.workspaceId,
    ]);
    const headers = { authorization: `Bearer ${organization.managementKey}`, 'content-type': 'application/json' };
    const leaving = new AbortController();
    const left = Array.from({ length: 30 }, (_, number) =>
      fetch(url, {
        method: 'PATCH',
        headers,
        body: JSON.stringify({ name: `Left ${number}` }),
        signal: leaving.signal,
      }).catch((error: unknown) => error),
    );
    await untilWaiting(app, SHARE);
    leaving.abort();
    await Promise.all(left);
    await release();

    const answer = await app.api.get('/workspaces', { key: organization.managementKey });
    expect(answer.status).toBe(200);
    const failures = app.logLines.filter((line) => line.includes('ClientGone'));
    expect(failures).toEqual([]);
  });
});
