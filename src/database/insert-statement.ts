import { columnsOf, type EntityColumn, entityColumns, parameterOf, tableOf } from './entity-columns.js';
import type { Statement } from './statements.js';

/** The parts of an INSERT of one whole row of an entity, for hot writes as named statements. */
export interface RowInsert<Row extends object> {
  /** `INSERT INTO table (columns)` */
  readonly into: string;
  /** For VALUES or SELECT: a parameter for each column, or the column's expression. */
  readonly parameters: string;
  /** How many parameters there are. */
  readonly count: number;
  /** The value of each parameter, as the driver takes it. */
  readonly values: (row: Row) => unknown[];
}

/**
 * What makes rows of an entity.
 *
 * @param entity every column of which the row sets
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
    values: (row) => given.map((column) => parameterOf(column, row)),
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
): Statement & Pick<RowInsert<Omit<Row, Found>>, 'values'> {
  const { into, parameters, values } = rowInsert(entity, expressions);
  return { name, text: `${into} VALUES (${parameters}) ${returningOf(entity, expressions)}`.trimEnd(), values };
}

/** RETURNING the columns that expressions give, under the names of their properties; nothing without expressions. */
export function returningOf<Row extends object, Found extends keyof Row & string>(
  entity: new () => Row,
  expressions: Readonly<Record<Found, string>> | undefined,
): string {
  if (expressions === undefined) return '';
  return `RETURNING ${columnsOf(entity, tableOf(entity), Object.keys(expressions) as Found[])}`;
}
