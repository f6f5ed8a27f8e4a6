import { type EntityColumn, entityColumns, tableOf } from './entity-columns.js';
import { bindingOf, returningOf } from './insert-statement.js';
import type { OrganizationRow } from './organization-row.js';
import { type BoundValues, type RowStatement, statement } from './statement.js';

/** The properties that identify a row, which are not updated. */
const KEY: readonly string[] = ['organizationId', 'id'] satisfies (keyof OrganizationRow)[];

/**
 * Builds a statement that updates one row of an organization, found by its id, with the values of an entity, and returns the
 * columns that have an expression, by property.
 *
 * @param expressions expressions, by property, for columns whose value does not come from the row
 */
export function updateStatement<Row extends OrganizationRow, Found extends keyof Row & string = never>(
  name: string,
  entity: new () => Row,
  expressions?: Readonly<Record<Found, string>>,
): RowStatement<Pick<Row, Found>, Omit<Row, Found>> {
  const columns = entityColumns(entity);
  const isKey = ({ property }: EntityColumn): boolean => KEY.includes(property);
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
