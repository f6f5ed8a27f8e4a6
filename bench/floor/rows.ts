import type { ClientBase, Pool } from 'pg';
import type { Statement } from '../../src/persistence/statement.js';

/** The rows of a statement that PostgreSQL has parsed and planned before. */
export async function rows<Row extends object, Values extends readonly unknown[]>(
  database: Pool | ClientBase,
  { name, text }: Statement<Row, Values>,
  values: NoInfer<Values>,
): Promise<Row[]> {
  return (await database.query<Row>({ name, text, values: values as unknown as unknown[] })).rows;
}
