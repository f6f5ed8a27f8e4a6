import { type EntityColumn, entityColumns, tableOf } from './entity-columns.js';
import { bindingOf, returningOf } from './insert-statement.js';
import { type BoundValues, type RowStatement, statement } from './statement.js';

/**
 * Builds a statement that updates one row with the values of an entity and returns the columns that have an expression, by
 * property.
 *
 * @param by the properties that identify the row; they are not updated
 * @param expressions expressions, by property, for columns whose value does not come from the row
 */
export function updateStatement<Row extends object, Found extends keyof Row & string = never>(
  name: string,
  entity: new () => Row,
  by: readonly (keyof Row & string)[],
  expressions?: Readonly<Record<Found, string>>,
): RowStatement<Pick<Row, Found>, Omit<Row, Found>> {
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
    ...statement<Pick<Row, Found>, BoundValues<Omit<Row, Found>>>(
      name,
      `${update} ${returningOf(entity, expressions)}`.trimEnd(),
    ),
    values: bindingOf<Omit<Row, Found>>(given),
  };
}
