import { createHash } from 'node:crypto';
import { IdempotencyKeysRepository } from '../../../src/modules/idempotency/idempotency-keys.repository.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { sharedApplication, sharedReplica } from '../../support/application/shared-application.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { until } from '../../support/time/until.js';

const KEY = '4f8a1ab0-7a3c-4f0e-9d53-4f5c1d2e3f40';

describe('requests with the same Idempotency-Key at the same time', () => {
  const app = sharedApplication();
  const replica = sharedReplica(app);
  const organization = organizationPerTest(app);

  const create = (on = app, signal?: AbortSignal): Promise<Answer<{ key: string }>> =>
    signal === undefined
      ? on.api.post('/keys', options())
      : (fetch(`${on.origin}/api/v1/keys`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${organization.managementKey}`,
            'content-type': 'application/json',
            'idempotency-key': KEY,
          },
          body: JSON.stringify({ name: 'Deployment' }),
          signal,
        }) as never);

  const options = () => ({
    key: organization.managementKey,
    json: { name: 'Deployment' },
    headers: { 'idempotency-key': KEY },
  });

  const keyCount = async (): Promise<number> => {
    const sql = `SELECT count(*)::int AS count FROM api_keys WHERE organization_id = $1 AND kind = 'api_key'`;
    return (await app.rows<{ count: number }>(sql, [organization.organizationId]))[0]!.count;
  };

  const events = async (): Promise<string[]> => {
    const sql = 'SELECT action FROM audit_events WHERE organization_id = $1 ORDER BY created_at, id';
    return (await app.rows<{ action: string }>(sql, [organization.organizationId])).map(({ action }) => action);
  };

  const idempotencyKeys = (): Promise<object[]> =>
    app.rows('SELECT status FROM idempotency_keys WHERE organization_id = $1', [organization.organizationId]);

  it('make one key on two replicas, with the same 201 for all of twenty', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(index % 2 === 0 ? app : replica)),
    );

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await keyCount()).toBe(1);
  });

  it('delete a key once: the second one waits for the first, and both are 200', async () => {
    const { hash } = await app.factory.key(organization);
    const before = await events();
    const path = `/keys/${hash}`;
    const request = { key: organization.managementKey, headers: { 'idempotency-key': KEY } };
    const release = await lockRows(app, `SELECT FROM api_keys WHERE hash = decode($1, 'hex') FOR UPDATE`, [hash]);

    const first = app.api.delete(path, request);
    await untilWaitingForLock(app, 1);
    const second = replica.api.delete(path, request);
    await untilWaitingForLock(app, 2);
    await release();

    const answers = [await first, await second];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '{"deleted":true}'],
      [200, '{"deleted":true}'],
    ]);
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(await events()).toEqual([...before, 'key.delete']);
  });

  it('are both made when the first one is refused: 404 for each', async () => {
    const path = `/keys/${'0'.repeat(64)}`;
    const request = { key: organization.managementKey, headers: { 'idempotency-key': KEY } };

    const answers = await Promise.all([app.api.delete(path, request), replica.api.delete(path, request)]);

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(await idempotencyKeys()).toEqual([]);
  });

  it('are done although the client of the first has left, whose answer the next one gets: 201', async () => {
    const release = await lockRows(app, 'LOCK TABLE api_keys IN SHARE MODE', []);
    const gone = new AbortController();
    const first = create(app, gone.signal).catch((error: unknown) => error);
    await untilWaitingForLock(app, 1);
    gone.abort();
    await first;
    await release();
    await until(async () => (await keyCount()) === 1);

    const second = await create();

    expect([second.status, second.headers.get('idempotent-replayed'), await keyCount()]).toEqual([201, 'true', 1]);
  });

  it('are made once when the connection to the database ends between change and answer: 503, then 201', async () => {
    const repository = app.application.get(IdempotencyKeysRepository);
    const spy = jest.spyOn(repository, 'complete').mockImplementationOnce(async () => {
      // The change is made, and its transaction open.
      await app.rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND state = 'idle in transaction' AND pid <> pg_backend_pid()`,
      );
    });

    const first = await create();
    expect([spy.mock.calls.length, first.status, await keyCount(), await idempotencyKeys()]).toEqual([1, 503, 0, []]);
    const second = await create();
    const third = await create();

    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect([third.status, third.text]).toEqual([201, second.text]);
    expect(await keyCount()).toBe(1);
    spy.mockRestore();
  });

  it('are a 503 where the database is away, although another replica has answered 201 meanwhile, which is then repeated', async () => {
    const repository = app.application.get(IdempotencyKeysRepository);
    const spy = jest.spyOn(repository, 'claim').mockImplementationOnce(async () => {
      expect((await create(replica)).status).toBe(201);
      throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
    });

    const first = await create();
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([503, null]);
    const second = await create();

    expect([second.status, second.headers.get('idempotent-replayed'), await keyCount()]).toEqual([201, 'true', 1]);
    spy.mockRestore();
  });

  it('are made once when the answer cannot be kept: 500, and nothing is left of the change', async () => {
    const repository = app.application.get(IdempotencyKeysRepository);
    const spy = jest.spyOn(repository, 'complete').mockRejectedValueOnce(new Error('no room for it'));

    const first = await create();
    expect([first.status, await keyCount(), await events()]).toEqual([500, 0, await events()]);
    const second = await create();

    expect([second.status, second.headers.get('idempotent-replayed'), await keyCount()]).toEqual([201, null, 1]);
    spy.mockRestore();
  });
});

describe('a request whose Idempotency-Key is in use for longer than the database waits for a lock', () => {
  const app = sharedApplication({ variables: { DATABASE_STATEMENT_TIMEOUT_MS: '1500' } });
  const organization = organizationPerTest(app);

  it('answers 409 with Retry-After, and is done when the other one has been rolled back', async () => {
    const [credential] = await app.rows<{ id: string }>(
      `SELECT id FROM api_keys WHERE organization_id = $1 AND kind = 'management_key'`,
      [organization.organizationId],
    );
    const release = await lockRows(
      app,
      `INSERT INTO idempotency_keys (organization_id, credential_id, key_hash, fingerprint, created_at, expires_at)
       VALUES ($1, $2, $3, '', now(), now() + interval '1 day')`,
      [organization.organizationId, credential!.id, createHash('sha256').update(KEY).digest()],
    );
    const options = {
      key: organization.managementKey,
      json: { name: 'Deployment' },
      headers: { 'idempotency-key': KEY },
    };

    const refused = await app.api.post<ErrorBody>('/keys', options);
    await release();
    const done = await app.api.post('/keys', options);

    expect([refused.status, refused.body.error.metadata.reason]).toEqual([409, 'idempotency_key_in_use']);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect([done.status, done.headers.get('idempotent-replayed')]).toEqual([201, null]);
  });
});
