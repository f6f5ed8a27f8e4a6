import pg from 'pg';
import { declaredTables, organizationTables, tablesOfClass } from '../../src/persistence/distribution.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import '../../src/app.module.js';

/** The tables without those that are partitions. */
const TABLES = `SELECT c.relname AS name FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY c.relname COLLATE "C"`;

describe('the classes that tables declare', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const names = async (query: string, values: readonly unknown[] = []): Promise<string[]> =>
    (await client.query<{ name: string }>(query, [...values])).rows.map(({ name }) => name);

  const withoutClass = async (): Promise<string[]> => {
    const known = declaredTables().map(({ table }) => table);
    return (await names(TABLES)).filter((table) => !known.includes(table));
  };

  it('are there for every table of the database, and for no other', async () => {
    expect(await withoutClass()).toEqual([]);
    expect(declaredTables().map(({ table }) => table)).toEqual(await names(TABLES));
  });

  it('are missed in a table that has none', async () => {
    await client.query('BEGIN; CREATE TABLE surprise (organization_id text)');
    expect(await withoutClass()).toEqual(['surprise']);
    await client.query('ROLLBACK');
  });

  it('are that of organizations for exactly those with an organization in each row, which no row can be without', async () => {
    const found = await names(
      `SELECT c.relname || '.' || a.attname AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnotnull
         AND a.attname = CASE WHEN c.relname = 'organizations' THEN 'id' ELSE 'organization_id' END`,
    );
    expect(
      organizationTables()
        .map(({ table, column }) => `${table}.${column}`)
        .sort(),
    ).toEqual(found.sort());
    expect(organizationTables()[0]).toEqual({ table: 'organizations', column: 'id' });
  });

  // A node has the rows of its organizations and whole reference tables, and nothing else that a foreign key could lead to.
  it('let foreign keys lead from organizations to organizations and reference tables, and otherwise within a class', async () => {
    const classes = new Map(declaredTables().map(({ table, tableClass }) => [table, tableClass]));
    const { rows } = await client.query<{ name: string; source: string; target: string }>(
      `SELECT conname AS name, conrelid::regclass::text AS source, confrelid::regclass::text AS target
       FROM pg_constraint JOIN pg_class c ON c.oid = conrelid
       WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND NOT c.relispartition`,
    );
    expect(rows.length).toBeGreaterThan(30);
    const refused = rows.filter(({ source, target }) => {
      const [from, to] = [classes.get(source), classes.get(target)];
      return from !== to && !(from === 'organization' && to === 'reference');
    });
    expect(refused).toEqual([]);
  });

  it('are that of reference tables for persons alone, because a change of one is a change on every node', () => {
    expect(tablesOfClass('reference')).toEqual(['users']);
  });
});
