import type { Pool } from 'pg';
import type { Statement } from '../../src/database/statements.js';

/** The rows of a statement that PostgreSQL has parsed and planned before. */
export async function rows<Row extends object>(
  pool: Pool,
  { name, text }: Statement,
  values: unknown[],
): Promise<Row[]> {
  return (await pool.query<Row>({ name, text, values })).rows;
}
