import type pg from 'pg';
import type { Statement } from '../../src/database/statements.js';

/** A node of an executed plan; only what is looked at. */
interface ExecutedNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly ExecutedNode[];
}

/**
 * How many rows a statement reads of each table, those included that it then passes over, with the plan that PostgreSQL has
 * for it whatever its parameters are.
 */
export async function rowsReadBy(
  client: pg.Client,
  { name, text }: Statement,
  values: readonly unknown[],
): Promise<Record<string, number>> {
  await client.query("SET plan_cache_mode = 'force_generic_plan'");
  // The few rows of a test would be read from end to end, as those of a large table never are.
  await client.query('SET enable_seqscan = off');
  const explained = await client.query<{ 'QUERY PLAN': [{ Plan: ExecutedNode }] }>({
    name: `explain_${name}`,
    text: `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, FORMAT JSON) ${text}`,
    values: [...values],
  });
  const reads: Record<string, number> = {};
  countRows(explained.rows[0]!['QUERY PLAN'][0].Plan, reads);
  return reads;
}

function countRows(node: ExecutedNode, reads: Record<string, number>): void {
  const { 'Relation Name': table, 'Actual Rows': rows, 'Actual Loops': loops } = node;
  if (table !== undefined) {
    reads[table] = (reads[table] ?? 0) + (rows + (node['Rows Removed by Filter'] ?? 0)) * loops;
  }
  for (const child of node.Plans ?? []) countRows(child, reads);
}
