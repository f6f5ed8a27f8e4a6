import { getMetadataArgsStorage } from 'typeorm';

/**
 * The select list of an entity's columns under the names of its properties, so that the rows of a plain statement have
 * the entity's shape without the cost of hydrating one.
 *
 * @param alias the table's alias in the statement
 */
export function columnsOf(entity: new () => object, alias: string): string {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => `${alias}."${options.name ?? propertyName}" AS "${propertyName}"`)
    .join(', ');
}
