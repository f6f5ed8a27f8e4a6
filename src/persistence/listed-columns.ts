import { columnNameOf, columnsOf, entityColumns } from './entity-columns.js';

/** The largest value that a page statement returns directly, in bytes. PostgreSQL compresses larger rows. */
const SMALL_VALUE_BYTES = 2_000;

/** A row of a page whose large values were left out, and whether there are any. */
export type ListedRow<Row> = Row & { readonly isLarge: boolean };

/**
 * The select list of an entity's columns for a page: large values of some columns are replaced by null, and `isLarge` says
 * whether there are any. Only the stored size of such a value is read, not the value.
 *
 * @param alias the table's alias in the statement
 * @param large the properties whose values may be large
 */
export function listedColumnsOf<Row extends object>(
  entity: new () => Row,
  alias: string,
  large: readonly (keyof Row & string)[],
): string {
  const mayBeLarge = new Set<string>(large);
  const isSmallProperty = (property: string): string => isSmall(`${alias}.${columnNameOf(entity, property)}`);
  const properties = entityColumns(entity).map(({ property }) => property as keyof Row & string);
  return [
    columnsOf(
      entity,
      alias,
      properties.filter((property) => !mayBeLarge.has(property)),
    ),
    ...large.map(
      (property) =>
        `CASE WHEN ${isSmallProperty(property)} THEN ${alias}.${columnNameOf(entity, property)} END AS "${property}"`,
    ),
    `NOT (${large.map(isSmallProperty).join(' AND ')}) AS "isLarge"`,
  ].join(', ');
}

/** An expression that says whether a value may be read with its page, without reading it. @param column with its alias */
export function isSmall(column: string): string {
  return `(coalesce(pg_column_size(${column}), 0) <= ${SMALL_VALUE_BYTES} AND pg_column_compression(${column}) IS NULL)`;
}
