import pg from 'pg';
import { allStatements } from './named-statements.js';
import { tablesOfClass } from '../../src/persistence/distribution.js';
import { PARTITION_KEY } from './partitioned-database.js';
import { createTestDatabase, type TestDatabase } from '../support/database/test-database.js';

// The rules of docs/scaling.md that tables partitioned by organization do not show.

/** Of a shard: an underscore and its number, which has six digits or more. */
const SHARD_SUFFIX = 8;
const MAXIMUM_NAME_LENGTH = 63;

/** A function that is not immutable, inside of CASE or coalesce. */
const VOLATILE_CHOICE =
  /\bCASE\b(?:(?!\bEND\b)[^])*?\b(?:now|(?:clock|statement|transaction)_timestamp|gen_random_uuid)\(|\bcoalesce\((?:[^()]|\([^()]*\))*\b(?:now|(?:clock|statement|transaction)_timestamp|gen_random_uuid)\(/i;

/** A time of a row and an interval, which depends on the time zone of the connection. */
const TIME_OF_ROW_AND_INTERVAL = /\b\w+_at\s*[-+]\s/;

describe('the rules for tables that are distributed by organization', () => {
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

  const namesBy = async (query: string, values: readonly unknown[] = []): Promise<string[]> => {
    const { rows } = await client.query<{ name: string }>(`${query} ORDER BY 1`, [...values]);
    return rows.map(({ name }) => name);
  };

  it('1: trigger functions read transition tables by themselves', async () => {
    const tables = await namesBy(
      `SELECT c.relname AS name FROM pg_class c WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
         AND ${PARTITION_KEY} IS NOT NULL`,
    );
    const { rows: functions } = await client.query<{ name: string; source: string; transition: string }>(
      `SELECT DISTINCT p.proname AS name, p.prosrc AS source, coalesce(t.tgnewtable, t.tgoldtable)::text AS transition
       FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid WHERE t.tgnewtable IS NOT NULL OR t.tgoldtable IS NOT NULL`,
    );
    const names = (text: string, word: string): boolean =>
      new RegExp(`\\b(?:FROM|JOIN|INTO|UPDATE)\\s+${word}\\b`).test(text);
    const mixed = functions.filter(({ source, transition }) =>
      source.split(/;|\bLOOP\b/).some((text) => names(text, transition) && tables.some((table) => names(text, table))),
    );
    expect(functions.length).toBeGreaterThan(10);
    expect(mixed.map(({ name }) => name)).toEqual([]);
  });

  it('2: a trigger for TRUNCATE is for nothing else', async () => {
    const [row, truncate, others] = [1, 32, 4 | 8 | 16];
    const found = await namesBy(
      `SELECT t.tgname || ' of ' || c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE NOT t.tgisinternal AND ${PARTITION_KEY} IS NOT NULL AND t.tgtype & $1::int = 0
         AND t.tgtype & $2::int <> 0 AND t.tgtype & $3::int <> 0`,
      [row, truncate, others],
    );
    expect(found).toEqual([]);
  });

  it('3: a part that writes rows has no CASE or coalesce over the time or a random value, in what it writes and in its condition', async () => {
    const found = (await allStatements()).filter(({ text }) =>
      writingParts(text).some((part) => VOLATILE_CHOICE.test(part)),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('3: a statement sets no column to what a volatile function gives, which each node would decide by itself', async () => {
    const found = (await allStatements()).filter(({ text }) =>
      setBy(text).some((part) => /\b(?:clock_timestamp|gen_random_uuid|random)\(/.test(part)),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('3: what becomes of a row that is there already depends on what was to be inserted, and on no function of the time', async () => {
    const found = (await allStatements()).filter(({ text }) =>
      writingParts(text).some((part) =>
        /\bON CONFLICT\b(?:(?!\bRETURNING\b)[^])*\b(?:now|(?:clock|statement|transaction)_timestamp)\(/.test(part),
      ),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('3: a statement sets no column to a time of its row and an interval', async () => {
    const found = (await allStatements()).filter(({ text }) =>
      setBy(text).some((part) => TIME_OF_ROW_AND_INTERVAL.test(part)),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('4: VALUES are no subqueries', async () => {
    const found = (await allStatements()).filter(({ text }) =>
      writingParts(text).some((part) =>
        /\bVALUES\s*\((?:(?!\bON CONFLICT\b|\bRETURNING\b)[^])*\(\s*SELECT\b/.test(part),
      ),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('7: a statement that changes a reference table reads no other one', async () => {
    const references = tablesOfClass('reference');
    expect(references).toEqual(['users']);
    const found = (await allStatements()).filter(({ text }) =>
      references.some((table) =>
        new RegExp(`\\b(?:UPDATE|DELETE FROM) ${table}\\b[^]*\\b(?:FROM|JOIN|USING)\\b`).test(text),
      ),
    );
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('4: RETURNING gives columns, and no subquery', async () => {
    const found = (await allStatements()).filter(({ text }) => /\bRETURNING\b[^()]*\(\s*SELECT\b/.test(text));
    expect(found.map(({ name }) => name)).toEqual([]);
  });

  it('5: names of constraints have room for the number of a shard, and do not end like one', async () => {
    const found = await namesBy(
      `SELECT o.conname AS name FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
       WHERE o.contype IN ('p', 'u', 'f', 'c') AND NOT c.relispartition AND ${PARTITION_KEY} IS NOT NULL AND (length(o.conname) > $1 OR o.conname ~ '_[0-9]{6,}$')`,
      [MAXIMUM_NAME_LENGTH - SHARD_SUFFIX],
    );
    expect(found).toEqual([]);
  });

  it('6: the service makes ids, but for those of bigint columns that take them from a sequence', async () => {
    const found = await namesBy(
      `SELECT c.relname || '.' || a.attname AS name
       FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND ${PARTITION_KEY} IS NOT NULL
         AND (a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%' AND a.atttypid <> 'bigint'::regtype)`,
    );
    expect(found).toEqual([]);
  });
});

/** What a statement sets. */
function setBy(text: string): string[] {
  return [...text.matchAll(/\bSET\b([^]*?)(?=\bFROM\b|\bWHERE\b|\bRETURNING\b|$)/g)].map(([, part]) => part!);
}

/** The parts of a statement that write: from what says so to the end of the parentheses that they are in. */
function writingParts(text: string): string[] {
  return [...text.matchAll(/\b(?:UPDATE|DELETE FROM|INSERT INTO)\s+[a-z_]+/g)].map(({ index }) =>
    withinParentheses(text, index),
  );
}

function withinParentheses(text: string, start: number): string {
  let depth = 0;
  for (let end = start; end < text.length; end += 1) {
    if (text[end] === '(') depth += 1;
    if (text[end] === ')') depth -= 1;
    if (depth < 0) return text.slice(start, end);
  }
  return text.slice(start);
}
