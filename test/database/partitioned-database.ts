import pg from 'pg';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/database/test-database.js';
import { MIGRATIONS_TABLE } from './schema-description.js';

/** How many partitions each table of organizations' rows has. */
export const PARTITIONS = 4;

/** The column by which a table is partitioned: its organization; null for a table that all organizations share. */
export const PARTITION_KEY = `CASE WHEN c.relname = 'organizations' THEN 'id' ELSE (
  SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attname = 'organization_id' AND NOT attisdropped) END`;

/**
 * Indexes that are unique across organizations, by what is given up where each partition has one of its own. Partitions can
 * only keep a key unique that has the organization in it.
 */
export const UNIQUE_ACROSS_ORGANIZATIONS: Readonly<Record<string, string>> = {
  uq_api_keys_external_api_key_hash:
    'what a partner brings is all that its key is found by, so no two organizations may have the same',
};

// A table that has partitions already has others here: those by its organization.
const OURS = `c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '${MIGRATIONS_TABLE}'`;

const TABLES = `SELECT format('CREATE TABLE %I (%s)%s', c.relname,
    string_agg(format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod), ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid),
      CASE a.attidentity WHEN 'a' THEN ' GENERATED ALWAYS AS IDENTITY' END, CASE WHEN a.attnotnull THEN ' NOT NULL' END),
      ', ' ORDER BY a.attnum),
    ' PARTITION BY HASH (' || ${PARTITION_KEY} || ')') AS statement
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE ${OURS} GROUP BY c.oid, c.relname`;

const PARTITIONS_OF_TABLES = `SELECT format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER %s)',
    c.relname || '_p' || n, c.relname, n) AS statement
  FROM pg_class c CROSS JOIN generate_series(0, ${PARTITIONS - 1}) AS n WHERE ${OURS} AND ${PARTITION_KEY} IS NOT NULL`;

const FUNCTIONS = `SELECT pg_get_functiondef(p.oid) AS statement FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace AND $1 = EXISTS (
    SELECT FROM pg_type t WHERE t.oid = ANY (p.proargtypes) AND t.typrelid <> 0)`;

/** Sequences, but for those of identity columns, which come with their tables. */
const SEQUENCES = `SELECT format('CREATE SEQUENCE %I', c.relname) AS statement FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S'
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype = 'i')`;

const CONSTRAINTS = `SELECT format('ALTER TABLE %I ADD CONSTRAINT %I %s', c.relname, o.conname, pg_get_constraintdef(o.oid)) AS statement
  FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid WHERE ${OURS} AND o.contype IN ('p', 'u', 'c', 'f')
  ORDER BY o.contype = 'f'`;

const INDEXES = `SELECT CASE WHEN i.indexrelid::regclass::text = ANY ($1) THEN replace(pg_get_indexdef(i.indexrelid), 'UNIQUE ', '')
    ELSE replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') END AS statement
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
  WHERE ${OURS} AND NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid AND o.contype IN ('p', 'u'))`;

const TRIGGERS = `SELECT pg_get_triggerdef(t.oid) AS statement FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE ${OURS} AND NOT t.tgisinternal`;

/**
 * A database with the schema that the migrations make, but with every table of organizations' rows partitioned by hash of
 * the organization: keys, foreign keys, triggers and all. PostgreSQL refuses a key without the organization there.
 */
export async function createPartitionedDatabase(): Promise<TestDatabase> {
  const [template, database] = [await createTestDatabase(), await createEmptyDatabase()];
  const [source, target] = [template, database].map(({ url }) => new pg.Client({ connectionString: url }));
  try {
    await source!.connect();
    await target!.connect();
    await copyPartitioned(source!, target!);
  } finally {
    await source!.end();
    await target!.end();
    await template.drop();
  }
  return database;
}

async function copyPartitioned(source: pg.Client, target: pg.Client): Promise<void> {
  const copy = async (query: string, values: unknown[] = []): Promise<void> => {
    const { rows } = await source.query<{ statement: string }>(query, values);
    for (const { statement } of rows) await target.query(statement);
  };
  await target.query('SET check_function_bodies = off');
  await copy(FUNCTIONS, [false]);
  await copy(SEQUENCES);
  await copy(TABLES);
  await copy(PARTITIONS_OF_TABLES);
  await copy(FUNCTIONS, [true]);
  await copy(CONSTRAINTS);
  await copy(INDEXES, [Object.keys(UNIQUE_ACROSS_ORGANIZATIONS)]);
  await copyRows(source, target);
  await copy(TRIGGERS);
  // So that statistics begin with what comes behind this.
  await target.query('SELECT pg_stat_force_next_flush()');
  await target.query('SELECT pg_stat_reset()');
}

/** What the migrations put into tables. */
async function copyRows(source: pg.Client, target: pg.Client): Promise<void> {
  const { rows: tables } = await source.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE ${OURS}`,
  );
  for (const { name } of tables) {
    const { rows } = await source.query<{ made: unknown }>(`SELECT json_agg(made) AS made FROM ${name} AS made`);
    const insert = `INSERT INTO ${name} SELECT * FROM json_populate_recordset(null::${name}, $1)`;
    if (rows[0]!.made !== null) await target.query(insert, [JSON.stringify(rows[0]!.made)]);
  }
}
