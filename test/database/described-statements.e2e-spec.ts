import { boundedQuery, ServiceClient } from '../../src/persistence/service-client.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

const TIMEOUT_MS = 600_000;

describe('The columns of a prepared statement', () => {
  let database: TestDatabase;
  let client: ServiceClient;
  let describeStatement: jest.SpyInstance;

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  beforeEach(async () => {
    client = new ServiceClient({ connectionString: database.url });
    await client.connect();
    await client.query('CREATE TEMPORARY TABLE notes (id integer, note text, at timestamptz)');
    await client.query(`INSERT INTO notes VALUES (1, 'one', '2026-11-25T12:00:00Z'), (2, NULL, NULL)`);
    describeStatement = jest.spyOn(client.connection as unknown as { describe(message: object): void }, 'describe');
  });

  afterEach(async () => {
    jest.restoreAllMocks();
    await client.end();
  });

  afterAll(() => database.drop());

  const run = async (text: string, name?: string, values: unknown[] = []): Promise<unknown> => {
    const { rows, rowCount, fields } = await boundedQuery(client, { ...(name && { name }), text, values }, TIMEOUT_MS);
    return { rows, rowCount, names: fields.map((field) => field.name) };
  };

  it('are asked for once on a connection, and the rows are the same afterwards', async () => {
    const text = 'SELECT id, note, at, count(*) OVER () AS total FROM notes WHERE id >= $1 ORDER BY id';
    const first = await run(text, 'read', [1]);
    const second = await run(text, 'read', [1]);

    expect(describeStatement).toHaveBeenCalledTimes(1);
    expect(second).toEqual(first);
    expect(first).toEqual({
      rows: [
        { id: 1, note: 'one', at: new Date('2026-11-25T12:00:00Z'), total: '2' },
        { id: 2, note: null, at: null, total: '2' },
      ],
      rowCount: 2,
      names: ['id', 'note', 'at', 'total'],
    });
    expect(await run(text, 'read', [3])).toEqual({ rows: [], rowCount: 0, names: ['id', 'note', 'at', 'total'] });
  });

  it('are asked for once where there are none', async () => {
    const text = 'UPDATE notes SET note = $1';
    expect(await run(text, 'write', ['two'])).toEqual({ rows: [], rowCount: 2, names: [] });
    expect(await run(text, 'write', ['three'])).toEqual({ rows: [], rowCount: 2, names: [] });

    expect(describeStatement).toHaveBeenCalledTimes(1);
    expect(await run('SELECT DISTINCT note FROM notes')).toMatchObject({ rows: [{ note: 'three' }] });
  });

  it('are asked for again after a run that failed, and each time for a statement without a name', async () => {
    const text = 'SELECT 1 / $1::integer AS quotient';
    await expect(run(text, 'divide', [0])).rejects.toThrow('division by zero');
    expect(await run(text, 'divide', [1])).toMatchObject({ rows: [{ quotient: 1 }] });
    expect(await run(text, 'divide', [1])).toMatchObject({ rows: [{ quotient: 1 }] });
    expect(describeStatement).toHaveBeenCalledTimes(2);

    await run(text, undefined, [1]);
    await run(text, undefined, [1]);
    expect(describeStatement).toHaveBeenCalledTimes(4);
  });

  it('are never read by an older description: PostgreSQL refuses a statement whose columns have changed', async () => {
    await run('SELECT * FROM notes ORDER BY id', 'all');
    await client.query('ALTER TABLE notes DROP COLUMN note');

    await expect(run('SELECT * FROM notes ORDER BY id', 'all')).rejects.toThrow(
      'cached plan must not change result type',
    );
  });
});
