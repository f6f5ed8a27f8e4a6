import type { DataSource } from 'typeorm';

/** TypeORM's own table, which it names the constraints of. */
export const MIGRATIONS_TABLE = 'schema_migrations';

/** Whether an index is not of a partition, which PostgreSQL names. */
const IS_OF_NO_PARTITION =
  "NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I.%I', schemaname, tablename)::regclass)";

/** A constraint or index. */
export interface NamedObject {
  readonly table_name: string;
  readonly name: string;
}

/** The tables of a schema, a line for each column, constraint and index, sorted. Partitions are as their table is. */
export async function describeTables(dataSource: DataSource): Promise<string[]> {
  const columns = await lines(
    dataSource,
    `SELECT format('%I.%I %s%s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
        CASE WHEN a.attnotnull THEN ' NOT NULL' END, ' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid),
        CASE WHEN a.attidentity <> '' THEN ' IDENTITY ' || a.attidentity::text END) AS line
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
       AND c.relname <> '${MIGRATIONS_TABLE}'`,
  );
  // NOT NULL is a column's above; from PostgreSQL 18 on it is a constraint as well.
  const constraints = await lines(
    dataSource,
    `SELECT format('%I %s %s', o.conname, c.relname, pg_get_constraintdef(o.oid)) AS line
     FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
     WHERE o.connamespace = 'public'::regnamespace AND o.contype NOT IN ('n', 't') AND c.relname <> '${MIGRATIONS_TABLE}'
       AND NOT c.relispartition`,
  );
  const indexes = await lines(
    dataSource,
    `SELECT replace(indexdef, ' ON ONLY ', ' ON ') AS line FROM pg_indexes
     WHERE schemaname = 'public' AND tablename <> '${MIGRATIONS_TABLE}' AND ${IS_OF_NO_PARTITION}`,
  );
  return [...columns, ...constraints, ...indexes].sort();
}

/** All of a schema: its tables, and what no entity can say, its triggers and functions. */
export async function describeSchema(dataSource: DataSource): Promise<string[]> {
  const triggers = await lines(
    dataSource,
    `SELECT pg_get_triggerdef(t.oid) AS line FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal ORDER BY 1`,
  );
  const functions = await lines(
    dataSource,
    `SELECT pg_get_functiondef(oid) AS line FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return [...(await describeTables(dataSource)), ...triggers, ...functions];
}

/** Every constraint and index but those of TypeORM's own table. */
export async function namedObjects(dataSource: DataSource): Promise<NamedObject[]> {
  return dataSource.query(
    `SELECT * FROM (
       SELECT c.relname::text AS table_name, o.conname::text AS name FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
       WHERE o.connamespace = 'public'::regnamespace AND o.contype NOT IN ('n', 't') AND NOT c.relispartition
       UNION SELECT tablename, indexname FROM pg_indexes WHERE schemaname = 'public' AND ${IS_OF_NO_PARTITION}
     ) AS objects WHERE table_name <> '${MIGRATIONS_TABLE}' ORDER BY 1, 2`,
  );
}

async function lines(dataSource: DataSource, statement: string): Promise<string[]> {
  const rows = await dataSource.query<{ line: string }[]>(statement);
  return rows.map(({ line }) => line);
}
