import { type EntityColumn, entityColumns, parameterOf, tableOf } from './entity-columns.js';
import type { Statement } from './statements.js';

/** A statement that writes a whole row anew. */
export interface UpdateStatement<Row extends object> extends Statement {
  /** The value of each parameter, as the driver takes it. */
  readonly values: (row: Row) => unknown[];
}

/**
 * A named statement that gives one row the values of an entity.
 *
 * @param by the properties that the row is found by, which stay as they are
 */
export function updateStatement<Row extends object>(
  name: string,
  entity: new () => Row,
  by: readonly (keyof Row & string)[],
): UpdateStatement<Row> {
  const columns = entityColumns(entity);
  const isKey = ({ property }: EntityColumn): boolean => (by as readonly string[]).includes(property);
  const assignment = (column: EntityColumn): string => `"${column.name}" = $${columns.indexOf(column) + 1}`;
  const set = columns.filter((column) => !isKey(column)).map(assignment);
  const where = columns.filter(isKey).map(assignment);
  return {
    name,
    text: `UPDATE ${tableOf(entity)} SET ${set.join(', ')} WHERE ${where.join(' AND ')}`,
    values: (row) => columns.map((column) => parameterOf(column, row)),
  };
}
