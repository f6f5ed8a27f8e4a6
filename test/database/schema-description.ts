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

/** All of a schema: its tables, and what no entity can say, as its triggers, functions and privileges. */
export async function describeSchema(dataSource: DataSource): Promise<string[]> {
  const described = await describeTables(dataSource);
  for (const statement of BESIDE_ENTITIES) described.push(...(await lines(dataSource, statement)).sort());
  return described;
}

/** The tables of the schema but for TypeORM's own and the partitions of months. */
const TABLES = `c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> '${MIGRATIONS_TABLE}'
  AND c.relname !~ '_[0-9]{4}_[0-9]{2}$'`;

/** Who has which privileges, where the owner does not have all of them and other roles none. MAINTAIN is new in PostgreSQL 17. */
function privileges(acl: string): string {
  return `(SELECT string_agg(CASE grantee WHEN 0 THEN 'PUBLIC' ELSE 'owner' END || ' ' || privilege_type, ', ' ORDER BY grantee, privilege_type)
    FROM aclexplode(${acl}) WHERE privilege_type <> 'MAINTAIN')`;
}

const BESIDE_ENTITIES = [
  `SELECT format('%I: %s%s%s%s (%s)', c.relname, CASE c.relpersistence WHEN 'u' THEN 'UNLOGGED ' END, 'TABLE', ' ' || c.reloptions::text,
      ' PARTITION ' || pg_get_expr(c.relpartbound, c.oid) || ' OF ' || (SELECT inhparent::regclass FROM pg_inherits WHERE inhrelid = c.oid),
      (SELECT string_agg(attname, ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped)) AS line
    FROM pg_class c WHERE ${TABLES}`,
  // Of the partitions of months there are more or fewer, as it is earlier or later in a month.
  `SELECT DISTINCT format('%s_YYYY_MM: PARTITION OF %s %s', left(c.relname, -8), i.inhparent::regclass, c.reloptions) AS line
    FROM pg_class c JOIN pg_inherits i ON i.inhrelid = c.oid WHERE c.relkind = 'r' AND c.relname ~ '_[0-9]{4}_[0-9]{2}$'`,
  `SELECT format('%I.%I STORAGE %s', c.relname, a.attname, a.attstorage) AS line
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    WHERE ${TABLES} AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped AND a.attstorage <> t.typstorage`,
  `SELECT format('%I: %s', c.relname, ${privileges('c.relacl')}) AS line FROM pg_class c WHERE ${TABLES} AND c.relacl IS NOT NULL`,
  `SELECT format('%s: %s', p.oid::regprocedure, ${privileges('p.proacl')}) AS line FROM pg_proc p
    WHERE p.pronamespace = 'public'::regnamespace AND p.proacl IS NOT NULL`,
  `SELECT format('%I: SEQUENCE %s OWNED BY %s.%s', s.relname, format_type(seqtypid, NULL), refobjid::regclass, a.attname) AS line
    FROM pg_sequence JOIN pg_class s ON s.oid = seqrelid JOIN pg_depend d ON d.objid = s.oid AND d.deptype = 'a'
    JOIN pg_attribute a ON a.attrelid = refobjid AND a.attnum = refobjsubid
    WHERE s.relnamespace = 'public'::regnamespace AND refobjid <> to_regclass('${MIGRATIONS_TABLE}')`,
  `SELECT pg_get_statisticsobjdef(oid) AS line FROM pg_statistic_ext WHERE stxnamespace = 'public'::regnamespace`,
  `SELECT pg_get_triggerdef(t.oid) || CASE t.tgenabled WHEN 'O' THEN '' ELSE ' ' || t.tgenabled::text END AS line FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal`,
  `SELECT pg_get_functiondef(oid) AS line FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
];

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
