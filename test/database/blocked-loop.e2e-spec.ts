import pg from 'pg';
import { PooledClient } from '../../src/persistence/pooled-client.js';
import { LoopTimeout } from '../../src/concurrency/loop-timeout.js';
import { statement } from '../../src/persistence/statement.js';
import { Statements } from '../../src/persistence/statements.js';
import type { NewOrganization } from '../../src/modules/installation/installation.service.js';
import { DatabaseProxy } from './database-proxy.js';
import { DEFAULT_TIME_LIMITS } from '../support/application/time-limits.js';
import { TestApplication } from '../support/application/test-application.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

/** Longer than an answer or a connection is waited for by default, in milliseconds. */
const LONGER_THAN_ANY_TIMEOUT_MS = 2_500;

const ONE = statement<{ found: number }>('test_one', 'SELECT 1 AS found');

/** Blocks the event loop of this thread, as long work does. */
function blockLoop(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Waits for several turns of the event loop, in each of which it reads all sockets. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('a timeout of the event loop', () => {
  it('calls back once when its time is over', async () => {
    let calls = 0;
    await new Promise<void>((resolve) => {
      new LoopTimeout(40, () => {
        calls += 1;
        resolve();
      });
    });
    await turns(5);
    expect(calls).toBe(1);
  });

  it('does not call back when the loop was blocked for longer than the time, until sockets have been read', async () => {
    let isOver = false;
    const timeout = new LoopTimeout(400, () => (isOver = true));
    blockLoop(800);
    await turns(3);
    expect(isOver).toBe(false);
    timeout.cancel();
  });

  it('calls back when the loop is blocked again and again', async () => {
    let blocked = 0;
    const blocking = setInterval(() => {
      blocked += 1;
      blockLoop(60);
    }, 1);
    await new Promise<void>((resolve) => new LoopTimeout(40, resolve));
    clearInterval(blocking);
    expect(blocked).toBeGreaterThan(1);
  });

  it('does not call back when it is cancelled', async () => {
    let isOver = false;
    new LoopTimeout(20, () => (isOver = true)).cancel();
    await new Promise<void>((resolve) => new LoopTimeout(40, resolve));
    expect(isOver).toBe(false);
  });
});

describe('a blocked event loop', () => {
  let database: TestDatabase;
  let pool: pg.Pool;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });

  beforeEach(() => {
    pool = new pg.Pool({ connectionString: database.url, max: 1 });
  });

  afterEach(() => pool.end());

  afterAll(() => database.drop());

  const pid = (on: pg.Pool): Promise<unknown> =>
    PooledClient.with(on, async (client) => {
      const { rows } = await client.query<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
      return rows[0]?.pid;
    });

  it('loses neither the answer to a statement nor its connection', async () => {
    const before = await pid(pool);
    const answer = PooledClient.with(pool, (client) => {
      const sent = client.query({ text: 'SELECT 1 AS found' });
      blockLoop(LONGER_THAN_ANY_TIMEOUT_MS);
      return sent;
    });

    expect((await answer).rows).toEqual([{ found: 1 }]);
    expect(await pid(pool)).toBe(before);
  });

  describe('during a statement that needs a connection', () => {
    let app: TestApplication;
    let statements: Statements;

    beforeEach(async () => {
      app = await TestApplication.start({ variables: { ...DEFAULT_TIME_LIMITS, DATABASE_POOL_SIZE: '2' } });
      statements = app.application.get(Statements);
    });

    afterEach(() => app.stop());

    it('does not end the wait for a connection that is in use', async () => {
      let letGo!: () => void;
      const inUse = new Promise<void>((resolve) => (letGo = resolve));
      const others = [statements.transaction(() => inUse), statements.transaction(() => inUse)];
      const answer = statements.rows(ONE, []);
      await turns(1);
      blockLoop(LONGER_THAN_ANY_TIMEOUT_MS);
      letGo();

      expect(await answer).toEqual([{ found: 1 }]);
      await Promise.all(others);
    });

    it('does not end the attempt to open a connection', async () => {
      const answers = [statements.rows(ONE, []), statements.rows(ONE, [])];
      await turns(1);
      blockLoop(LONGER_THAN_ANY_TIMEOUT_MS);

      expect(await Promise.all(answers)).toEqual([[{ found: 1 }], [{ found: 1 }]]);
    });
  });

  describe('during a write', () => {
    let proxy: DatabaseProxy;
    let distant: TestDatabase;
    let app: TestApplication;
    let organization: NewOrganization;

    beforeAll(async () => {
      distant = await createTestDatabase();
      proxy = await DatabaseProxy.open(distant.serviceUrl);
      app = await TestApplication.start({
        database: { ...distant, serviceUrl: proxy.url },
        variables: DEFAULT_TIME_LIMITS,
      });
      organization = await app.factory.organization();
    });

    afterAll(async () => {
      await app.stop();
      await proxy.close();
      await distant.drop();
    });

    it.each([
      ['in one statement', '/guardrails', { name: 'Kept' }, 'INSERT INTO guardrails', 'guardrails'],
      ['in a transaction', '/workspaces', { name: 'Kept', slug: 'kept' }, 'INSERT INTO workspaces', 'workspaces'],
    ])('does not turn the 201 into a 500 when it is written %s', async (_, path, json, statement, table) => {
      proxy.onceSent(statement, () => blockLoop(LONGER_THAN_ANY_TIMEOUT_MS));
      const answer = await app.api.post<{ data: { id: string } }>(path, { key: organization.managementKey, json });

      expect(answer.status).toBe(201);
      expect(await app.rows(`SELECT id FROM ${table} WHERE name = 'Kept'`)).toEqual([{ id: answer.body.data.id }]);
    });
  });
});
