import type pg from 'pg';
import { PLANNING } from '../../src/persistence/connection-options.js';
import type { Statement } from '../../src/persistence/statement.js';

/** A node of a plan, as EXPLAIN (FORMAT JSON) gives it; only what is looked at. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** What the name of a partition for a month has behind the name of its table. */
const MONTH = /_\d{4}_\d{2}(?=[ _]|$)/g;

/** How a statement comes to rows of a table. */
export interface TableRead {
  readonly table: string;
  /** The index that is read; undefined where the table is read from its beginning to its end. */
  readonly index: string | undefined;
  /** Whether more of the index than an organization's part is ruled out before a row is read, or a limit ends the reading. */
  readonly isNarrow: boolean;
}

/**
 * How a statement comes to its rows, by the plan that PostgreSQL has for it whatever its parameters are, which is the one
 * that it comes to for a named statement.
 */
export async function tableReadsOf(client: pg.Client, { name, text }: Statement): Promise<readonly TableRead[]> {
  await planAsService(client);
  await client.query(`PREPARE ${name} AS ${text}`);
  const { rows: parameters } = await client.query<{ value: string }>(
    // A time says which partition is read: that of now, where the rows are.
    `SELECT CASE type WHEN 'timestamp with time zone' THEN 'now()' ELSE 'NULL' END AS value
     FROM pg_prepared_statements, unnest(parameter_types::text[]) WITH ORDINALITY AS parameter (type, position)
     WHERE name = $1 ORDER BY position`,
    [name],
  );
  const values = parameters.map(({ value }) => value).join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (COSTS OFF, FORMAT JSON) EXECUTE ${name}${values === '' ? '' : `(${values})`}`,
  );
  return readsOf(rows[0]!['QUERY PLAN'][0].Plan, undefined, false);
}

/** Has a connection plan as those of the service do. */
async function planAsService(client: pg.Client): Promise<void> {
  for (const [name, value] of Object.entries(PLANNING)) await client.query(`SET ${name} = ${value}`);
}

/** @param table of the node above, for the index of a bitmap is named below its table @param isLimited whether a node above takes only the first rows */
function readsOf(node: PlanNode, table: string | undefined, isLimited: boolean): TableRead[] {
  const { 'Node Type': type, 'Relation Name': relation = table, 'Index Name': index, Plans: plans = [] } = node;
  const isBelowLimit = type === 'Limit' || (isLimited && type !== 'Sort' && type !== 'Aggregate');
  const children = plans.flatMap((child) => readsOf(child, relation, isBelowLimit));
  if (type !== 'Seq Scan' && index === undefined) return children;
  const columns = new Set(node['Index Cond']?.match(/\b\w+(?= (?:=|<|>|IS))/g));
  columns.delete('organization_id');
  const isNarrow = index !== undefined && (columns.size > 0 || isBelowLimit);
  return [{ table: relation!.replace(MONTH, ''), index: index?.replace(MONTH, ''), isNarrow }, ...children];
}

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
  await planAsService(client);
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
