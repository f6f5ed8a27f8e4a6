import { getMetadataArgsStorage } from 'typeorm';
import { columnNamed } from './naming-strategy.js';

type EntityClass = new () => object;

/** A column that an entity declares. */
export interface EntityColumn {
  readonly property: string;
  readonly name: string;
  readonly isJson: boolean;
}

/** The columns of an entity, in the order of its properties; those that it inherits come first. */
export function entityColumns(entity: EntityClass): EntityColumn[] {
  return getMetadataArgsStorage()
    .filterColumns([entity, Object.getPrototypeOf(entity) as EntityClass])
    .map(({ propertyName, options }) => ({
      property: propertyName,
      name: options.name ?? columnNamed(propertyName),
      isJson: options.type === 'jsonb',
    }));
}

/** The table of an entity. */
export function tableOf(entity: EntityClass): string {
  const table = getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name;
  if (table === undefined) throw new Error(`${entity.name} is not an entity with a table of its own`);
  return table;
}

/** The column of a property of an entity. */
export function columnNameOf(entity: EntityClass, property: string): string {
  const column = entityColumns(entity).find((candidate) => candidate.property === property);
  if (column === undefined) throw new Error(`${entity.name} has no column for ${property}`);
  return `"${column.name}"`;
}

/** The value of a column in a row, in the form that the driver expects. */
export function parameterOf({ property, isJson }: EntityColumn, row: object): unknown {
  const value = (row as Record<string, unknown>)[property];
  // The driver would send a list as a PostgreSQL array.
  return isJson && value !== null ? JSON.stringify(value) : value;
}

/**
 * The select list of an entity's columns, each aliased to its property, so that the rows of a plain statement have the shape
 * of the entity without TypeORM's hydration.
 *
 * @param alias the table's alias in the statement
 * @param properties the columns to select; all by default
 */
export function columnsOf<Row extends object>(
  entity: new () => Row,
  alias: string,
  properties?: readonly (keyof Row & string)[],
): string {
  const wanted = properties && new Set<string>(properties);
  return entityColumns(entity)
    .filter(({ property }) => wanted?.has(property) ?? true)
    .map(({ property, name }) => `${alias}."${name}" AS "${property}"`)
    .join(', ');
}
