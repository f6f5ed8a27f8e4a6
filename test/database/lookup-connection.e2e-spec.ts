import pg from 'pg';
import { ConnectionQueue } from '../../src/persistence/connection-queue.js';
import { LookupConnection } from '../../src/persistence/lookup-connection.js';
import { lookup, statement } from '../../src/persistence/statement.js';
import { PoolStatements } from '../../src/persistence/statements.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database/test-database.js';
import { until } from '../support/time/until.js';
import { DatabaseProxy } from './database-proxy.js';

/** What a statement has found, and the connection that it was run on. */
interface Found {
  readonly found: number;
  readonly connection: number;
}

const FOUND = 'SELECT $1::int AS found, pg_backend_pid() AS connection';

const FIND = lookup<Found, [value: unknown]>('find', FOUND);
/** Waits for as long as another connection holds a lock. */
const FIND_LATER = lookup<Found, [value: number]>('find_later', `${FOUND} FROM pg_advisory_xact_lock(1)`);

/** Longer than a busy machine takes for a lookup. */
const STATEMENT_TIMEOUT_MS = 2_000;

/** Not a lookup. */
const READ = statement<Found, [value: number]>('read', FOUND);

describe('lookups on the connection that they share', () => {
  let database: TestDatabase;
  let proxy: DatabaseProxy;
  let pool: pg.Pool;
  let statements: PoolStatements;
  /** Milliseconds, which pass only where a test says so. */
  let now: number;
  /** The connections before each test. */
  let shared: number;
  let own: number;

  beforeAll(async () => {
    database = await createEmptyDatabase();
  });

  beforeEach(async () => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    proxy = await DatabaseProxy.open(database.url);
    pool = new pg.Pool({ connectionString: proxy.url, max: 1, statement_timeout: STATEMENT_TIMEOUT_MS });
    statements = new PoolStatements(() => pool, undefined);
    own = (await statements.first(READ, [0]))!.connection;
    shared = await sharedConnection();
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    LookupConnection.endBeside(pool);
    await pool.end();
    await proxy.close();
  });

  afterAll(() => database.drop());

  const find = async (value: unknown): Promise<Found> => (await statements.first(FIND, [value]))!;

  /** The first lookup opens the connection and does not wait for it. */
  const sharedConnection = async (before?: number): Promise<number> => {
    await until(async () => {
      now += 1_000;
      return ![own, before].includes((await find(0)).connection);
    });
    return (await find(0)).connection;
  };

  const holdLock = async (): Promise<pg.Client> => {
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query('SELECT pg_advisory_lock(1)');
    return client;
  };

  it('get the rows of each, in one connection, while other statements have connections of their own', async () => {
    const found = await Promise.all(Array.from({ length: 60 }, (_, value) => find(value)));

    expect(found).toEqual(Array.from({ length: 60 }, (_, value) => ({ found: value, connection: shared })));
    expect(await statements.first(READ, [1])).toEqual({ found: 1, connection: own });
  });

  it('are run in the transaction that they are a part of', async () => {
    expect(await statements.transaction((tx) => tx.first(FIND, [1]))).toEqual({ found: 1, connection: own });
  });

  it('are answered although PostgreSQL refuses one of them', async () => {
    const [first, refused, last] = await Promise.allSettled([find(1), find('x'), find(3)]);

    expect(first).toEqual({ status: 'fulfilled', value: { found: 1, connection: shared } });
    expect(refused).toMatchObject({ status: 'rejected', reason: { code: '22P02' } });
    expect(last).toEqual({ status: 'fulfilled', value: { found: 3, connection: shared } });
    expect((await find(4)).connection).toBe(shared);
  });

  it('do not wait behind one that takes long', async () => {
    const lock = await holdLock();
    const late = statements.first(FIND_LATER, [1]);
    now += 20;

    expect(await find(2)).toEqual({ found: 2, connection: own });

    await lock.end();
    expect(await late).toEqual({ found: 1, connection: shared });
  });

  it('do not wait behind many of which each takes a while', async () => {
    const lock = await holdLock();
    const late = statements.first(FIND_LATER, [1]);
    now += 9;
    await lock.end();
    await late;

    const found = await Promise.all(Array.from({ length: 20 }, (_, value) => find(value)));

    // A fifth of the time of the newest is 1.8 ms, which is more than 10 ms for six of them.
    expect(found.map(({ connection }) => connection)).toEqual([
      ...Array.from({ length: 6 }, () => shared),
      ...Array.from({ length: 14 }, () => own),
    ]);
  });

  it('beyond a number at once have connections of their own', async () => {
    const found = await Promise.all(Array.from({ length: 100 }, (_, value) => find(value)));

    expect(found.map(({ connection }) => connection)).toEqual([
      ...Array.from({ length: 64 }, () => shared),
      ...Array.from({ length: 36 }, () => own),
    ]);
  });

  it('are answered on connections of their own when the shared one ends, and then on a new one', async () => {
    const lock = await holdLock();
    const answers = Promise.all([statements.first(FIND_LATER, [1]), find(2)]);
    await lock.query('SELECT pg_terminate_backend($1)', [shared]);
    await lock.end();

    expect(await answers).toEqual([
      { found: 1, connection: own },
      { found: 2, connection: own },
    ]);
    expect(await sharedConnection(shared)).not.toBe(shared);
  });

  it('fail when no answer comes in time', async () => {
    proxy.fallSilent();

    const outcomes = await Promise.allSettled([find(1), find(2)]);

    for (const { status, reason } of outcomes as PromiseRejectedResult[]) {
      expect({ status, message: String(reason) }).toEqual({
        status: 'rejected',
        message: expect.stringMatching(/PostgreSQL (has not answered in time|cannot be reached)/) as string,
      });
    }
    // Not repeated on a connection of the pool, which would take as long again.
    expect(pool.totalCount).toBe(1);
  });

  it('share a new connection after those of the pool were replaced', async () => {
    ConnectionQueue.of(pool).renew();
    now += 1_000;
    own = (await statements.first(READ, [0]))!.connection;

    expect((await find(1)).connection).not.toBe(shared);
    expect(await sharedConnection()).not.toBe(shared);
  });

  it('share a new connection after the old one was idle for as long as one of the pool may be', async () => {
    now += 10_001;

    expect((await find(1)).connection).toBe(own);
    expect(await sharedConnection(shared)).not.toBe(shared);
  });
});
