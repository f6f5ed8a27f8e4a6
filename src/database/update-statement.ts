import { type EntityColumn, entityColumns, parameterOf, tableOf } from './entity-columns.js';
import { returningOf } from './insert-statement.js';
import type { Statement } from './statements.js';

/** A statement that writes a whole row anew. */
export interface UpdateStatement<Row extends object> extends Statement {
  /** The value of each parameter, as the driver takes it. */
  readonly values: (row: Row) => unknown[];
}

/**
 * A named statement that gives one row the values of an entity, and returns those of its columns that expressions give, by
 * property.
 *
 * @param by the properties that the row is found by, which stay as they are
 * @param expressions of columns whose value the statement itself finds, and not the row; by property
 */
export function updateStatement<Row extends object, Found extends keyof Row & string = never>(
  name: string,
  entity: new () => Row,
  by: readonly (keyof Row & string)[],
  expressions?: Readonly<Record<Found, string>>,
): UpdateStatement<Omit<Row, Found>> {
  const columns = entityColumns(entity);
  const isKey = ({ property }: EntityColumn): boolean => (by as readonly string[]).includes(property);
  const expressionOf = ({ property }: EntityColumn): string | undefined => expressions?.[property as Found];
  const given = columns.filter((column) => expressionOf(column) === undefined);
  const assignment = (column: EntityColumn): string =>
    `"${column.name}" = ${expressionOf(column) ?? `$${given.indexOf(column) + 1}`}`;
  const set = columns.filter((column) => !isKey(column)).map(assignment);
  const where = columns.filter(isKey).map(assignment);
  const update = `UPDATE ${tableOf(entity)} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`;
  return {
    name,
    text: `${update} ${returningOf(entity, expressions)}`.trimEnd(),
    values: (row) => given.map((column) => parameterOf(column, row)),
  };
}
