import { DefaultNamingStrategy, type Table } from 'typeorm';

/** The column of a property: its name in snake case. */
export function columnNamed(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** How columns and primary keys are named, so that entities do not have to. */
export class NamingStrategy extends DefaultNamingStrategy {
  override columnName(property: string): string {
    return columnNamed(property);
  }

  override primaryKeyName(table: Table | string): string {
    return `pk_${this.getTableName(table)}`;
  }
}
