import type { Answer } from '../../support/network/api-client.js';
import { until } from '../../support/time/until.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { sharedApplication } from '../../support/application/shared-application.js';

const POOL_SIZE = 6;

/** What one organization has of the pool. */
const SHARE = POOL_SIZE / 2;

describe('requests of one organization at once', () => {
  const app = sharedApplication({ variables: { DATABASE_POOL_SIZE: String(POOL_SIZE) } });

  it('use at most half of the connections, so that another organization is answered 200 while they wait', async () => {
    const [busy, other] = [await app.factory.organization(), await app.factory.organization()];
    const release = await lockRows(app, 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE', [busy.workspaceId]);
    const changes = Array.from({ length: 20 }, (_, number) =>
      app.api.patch(`/workspaces/${busy.workspaceId}`, { key: busy.managementKey, json: { name: `Name ${number}` } }),
    );
    await untilWaitingForLock(app, SHARE);

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

  it('are answered 429 with Retry-After beyond the queue, and 200 from the queue', async () => {
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

  it('release their places in the queue when their clients disconnect, and the next ones are answered 200', async () => {
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
    await untilWaitingForLock(app, SHARE);
    leaving.abort();
    await Promise.all(left);
    await release();

    const answer = await app.api.get('/workspaces', { key: organization.managementKey });
    expect(answer.status).toBe(200);
    const failures = app.logLines.filter((line) => line.includes('ClientGone'));
    expect(failures).toEqual([]);
  });
});

describe('requests of one organization that waited in the queue for the maximum time', () => {
  const app = sharedApplication({
    variables: { DATABASE_POOL_SIZE: String(POOL_SIZE), DATABASE_STATEMENT_TIMEOUT_MS: '1000' },
  });

  it('are answered 429 with Retry-After and leave the queue, and the next one is answered 200', async () => {
    const { workspaceId, managementKey: key } = await app.factory.organization();
    const release = await lockRows(app, 'SELECT id FROM workspaces WHERE id = $1 FOR UPDATE', [workspaceId]);
    const refused: Answer[] = [];
    const changes = Array.from({ length: 60 }, async (_, number) => {
      const answer = await app.api.patch(`/workspaces/${workspaceId}`, { key, json: { name: `Name ${number}` } });
      if (answer.status === 429) refused.push(answer);
    });

    await Promise.all(changes);

    await release();
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ error: { metadata: { reason: 'too_many_concurrent_requests' } } });
      expect(headers.get('retry-after')).toBe('1');
    }
    expect((await app.api.get('/workspaces', { key })).status).toBe(200);
  });
});
