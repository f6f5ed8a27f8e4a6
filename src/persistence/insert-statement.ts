import { columnsOf, type EntityColumn, entityColumns, parameterOf, tableOf } from './entity-columns.js';
import { type BoundValues, type RowStatement, type RowsStatement, statement } from './statement.js';

/** The parts of an INSERT of one entity row, to build prepared statements from. */
export interface RowInsert<Row extends object> {
  /** `INSERT INTO table (columns)` */
  readonly into: string;
  /** For VALUES or SELECT: a parameter for each column, or the column's expression. */
  readonly parameters: string;
  readonly count: number;
  /** The values of the parameters for a row, in the form that the driver expects. */
  readonly values: (row: Row) => BoundValues<Row>;
}

/**
 * Builds the parts of an INSERT for an entity.
 *
 * @param entity the entity; the row sets every column without an expression
 * @param expressions of columns whose value the statement itself finds, and not the row; by property
 * @param first the number of the first parameter
 */
export function rowInsert<Row extends object, Found extends keyof Row = never>(
  entity: new () => Row,
  expressions?: Readonly<Record<Found, string>>,
  first = 1,
): RowInsert<Omit<Row, Found>> {
  const columns = entityColumns(entity);
  const expressionOf = ({ property }: EntityColumn): string | undefined => expressions?.[property as Found];
  const given = columns.filter((column) => expressionOf(column) === undefined);
  return {
    into: `INSERT INTO ${tableOf(entity)} (${columns.map(({ name }) => `"${name}"`).join(', ')})`,
    parameters: columns.map((column) => expressionOf(column) ?? `$${given.indexOf(column) + first}`).join(', '),
    count: given.length,
    values: bindingOf<Omit<Row, Found>>(given),
  };
}

/**
 * A named statement that inserts one row, and returns those of its columns that expressions give, by property.
 *
 * @param expressions of columns whose value the statement itself finds, and not the row; by property
 */
export function insertStatement<Row extends object, Found extends keyof Row & string = never>(
  name: string,
  entity: new () => Row,
  expressions?: Readonly<Record<Found, string>>,
): RowStatement<Pick<Row, Found>, Omit<Row, Found>> {
  const { into, parameters, values } = rowInsert(entity, expressions);
  const text = `${into} VALUES (${parameters}) ${returningOf(entity, expressions)}`.trimEnd();
  return { ...statement<Pick<Row, Found>, BoundValues<Omit<Row, Found>>>(name, text), values };
}

/**
 * A named statement that inserts many rows, which are one parameter: a JSON list.
 *
 * @param by the properties of the unique key of an upsert; without them, an existing row is an error
 */
export function insertRowsStatement<Row extends object>(
  name: string,
  entity: new () => Row,
  by: readonly (keyof Row & string)[] = [],
): RowsStatement<Row> {
  const { into, select, values } = rowsInsert(entity, '$1');
  const columns = entityColumns(entity);
  const isKey = ({ property }: EntityColumn): boolean => (by as readonly string[]).includes(property);
  const key = columns.filter(isKey).map((column) => `"${column.name}"`);
  const assignments = columns
    .filter((column) => !isKey(column))
    .map((column) => `"${column.name}" = excluded."${column.name}"`);
  const replacing = key.length > 0 ? ` ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${assignments.join(', ')}` : '';
  const text = `${into}
    ${select}${replacing}`;
  return {
    ...statement<never, BoundValues<readonly Row[]>>(name, text),
    values: (rows) => [values(rows)] as unknown[] & BoundValues<readonly Row[]>,
  };
}

/** The parts of an INSERT of many rows of an entity, which are one parameter: a JSON list. */
export interface RowsInsert<Row extends object> {
  /** `INSERT INTO table (columns)` */
  readonly into: string;
  readonly select: string;
  readonly values: (rows: readonly Row[]) => string;
}

/**
 * Builds the parts of an INSERT of many rows of an entity.
 *
 * @param parameter with the rows, as `$1`
 * @param expressions of columns that are the same for all rows, by property
 */
export function rowsInsert<Row extends object>(
  entity: new () => Row,
  parameter: string,
  expressions?: Readonly<Partial<Record<keyof Row & string, string>>>,
): RowsInsert<Row> {
  const columns = entityColumns(entity);
  const table = tableOf(entity);
  const list = columns.map(({ name }) => `"${name}"`).join(', ');
  const selected = columns.map(({ property, name }) => expressions?.[property as keyof Row & string] ?? `"${name}"`);
  return {
    into: `INSERT INTO ${table} (${list})`,
    select: `SELECT ${selected.join(', ')} FROM jsonb_populate_recordset(null::${table}, ${parameter}::jsonb)`,
    values: (rows) => JSON.stringify(rows.map((row) => rowInJson(columns, row))),
  };
}

/** One row of an entity as JSON, which `jsonb_populate_record` reads. */
export function rowAsJson<Row extends object>(entity: new () => Row, row: Row): string {
  return JSON.stringify(rowInJson(entityColumns(entity), row));
}

function rowInJson(columns: readonly EntityColumn[], row: object): object {
  return Object.fromEntries(
    columns.map(({ name, property }) => [name, inJson((row as Record<string, unknown>)[property])]),
  );
}

/** A value as PostgreSQL reads it from JSON, which has no bytes. */
function inJson(value: unknown): unknown {
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
}

/** Makes the values of parameters of a row: one for each of the columns, as the driver takes it. */
export function bindingOf<Row extends object>(columns: readonly EntityColumn[]): (row: Row) => BoundValues<Row> {
  return (row) => columns.map((column) => parameterOf(column, row)) as unknown[] & BoundValues<Row>;
}

/** RETURNING the columns that expressions give, under the names of their properties; nothing without expressions. */
export function returningOf<Row extends object, Found extends keyof Row & string>(
  entity: new () => Row,
  expressions: Readonly<Record<Found, string>> | undefined,
): string {
  if (expressions === undefined) return '';
  return `RETURNING ${columnsOf(entity, tableOf(entity), Object.keys(expressions) as Found[])}`;
}
