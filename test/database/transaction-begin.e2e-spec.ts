import { DataSource } from 'typeorm';
import { singleStatement, statement } from '../../src/persistence/statement.js';
import { Statements } from '../../src/persistence/statements.js';
import { TestApplication } from '../support/application/test-application.js';

const INSERT = statement<never, [id: number]>('test_insert', 'INSERT INTO notes (id) VALUES ($1)');
const INSERT_ONE = singleStatement<never, []>('test_insert_one', 'INSERT INTO notes (id) VALUES (1)');
const READ = statement<{ id: number }>('test_read', 'SELECT id FROM notes ORDER BY id');
const LIMITS = statement<object>(
  'test_limits',
  `SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
);
const FAIL = statement<object>('test_fail', 'SELECT 1 / 0');

describe('The beginning of a transaction', () => {
  let app: TestApplication;
  let statements: Statements;

  beforeAll(async () => {
    app = await TestApplication.start({
      variables: { DATABASE_POOL_SIZE: '3', DATABASE_STATEMENT_TIMEOUT_MS: '20000' },
    });
    statements = new Statements(app.application.get(DataSource));
    await app.rows('CREATE TABLE notes (id integer PRIMARY KEY)');
  });

  beforeEach(() => app.rows('TRUNCATE notes'));

  afterAll(() => app.stop());

  const notes = async (): Promise<number[]> => (await statements.rows(READ, [])).map(({ id }) => id);

  it('has the limits of bulk writes with it, and not those of requests', async () => {
    const limits = await statements.bulk.transaction((tx) => tx.rows(LIMITS, []));
    expect(limits).toEqual([{ statement: '30s', lock: '19900ms' }]);
    expect(await statements.transaction((tx) => tx.rows(LIMITS, []))).toEqual([{ statement: '20s', lock: '19900ms' }]);
  });

  it.each([
    [
      'a statement with a name',
      () => statements.transaction((tx) => tx.write(INSERT, [1]).then(() => tx.rows(FAIL, []))),
    ],
    ['one without', () => statements.transaction((tx) => tx.write(INSERT_ONE, []).then(() => tx.rows(FAIL, [])))],
  ])('comes before the first statement, so that a rollback undoes also %s', async (_, work) => {
    await expect(work()).rejects.toThrow('division by zero');
    expect(await notes()).toEqual([]);
  });

  it('comes once for statements that are sent at the same time, and they end together', async () => {
    await statements.transaction((tx) => Promise.all([tx.write(INSERT, [1]), tx.write(INSERT, [2])]));
    const failing = statements.transaction((tx) => Promise.all([tx.write(INSERT, [3]), tx.rows(FAIL, [])]));
    await expect(failing).rejects.toThrow('division by zero');
    expect(await notes()).toEqual([1, 2]);
  });
});
