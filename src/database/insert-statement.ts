import { entityColumns, tableOf } from './entity-columns.js';
import type { Statement } from './statements.js';

/** The parts of an INSERT of one whole row of an entity, for hot writes as named statements. */
export interface RowInsert<Row extends object> {
  /** `INSERT INTO table (columns)` */
  readonly into: string;
  /** A parameter for each column, from $1, for VALUES or SELECT. */
  readonly parameters: string;
  /** How many parameters there are. */
  readonly count: number;
  /** The value of each parameter, as the driver takes it. */
  values(row: Row): unknown[];
}

/** @param entity every column of which the row sets */
export function rowInsert<Row extends object>(entity: new () => Row): RowInsert<Row> {
  const columns = entityColumns(entity);
  return {
    into: `INSERT INTO ${tableOf(entity)} (${columns.map(({ name }) => `"${name}"`).join(', ')})`,
    parameters: columns.map((_, index) => `$${index + 1}`).join(', '),
    count: columns.length,
    values: (row) =>
      columns.map(({ property, isJson }) => {
        const value: unknown = row[property as keyof Row];
        // The driver would write a list as an array of PostgreSQL's own.
        return isJson && value !== null ? JSON.stringify(value) : value;
      }),
  };
}

/** A named statement that inserts one row. */
export function insertStatement<Row extends object>(
  name: string,
  entity: new () => Row,
): Statement & Pick<RowInsert<Row>, 'values'> {
  const { into, parameters, values } = rowInsert(entity);
  return { name, text: `${into} VALUES (${parameters})`, values };
}
