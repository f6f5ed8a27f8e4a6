import type pg from 'pg';
import type { Statement } from '../../src/database/statements.js';

/** A node of a plan, as EXPLAIN (FORMAT JSON) gives it; only what a shape is made of. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'CTE Name'?: string;
  readonly 'Subplan Name'?: string;
  readonly Operation?: string;
  readonly 'Scan Direction'?: string;
  readonly 'Conflict Arbiter Indexes'?: readonly string[];
  readonly Plans?: readonly PlanNode[];
}

/** What a plan does, without what it costs. */
export interface PlanShape {
  /** A node a line, indented below the one that it feeds. */
  readonly text: string;
  /** The tables that it reads from end to end. */
  readonly scannedTables: readonly string[];
}

/**
 * The plan that PostgreSQL has for a statement whatever its parameters are, which is the one that it comes to for a named
 * statement.
 */
export async function planShapeOf(client: pg.Client, { name, text }: Statement): Promise<PlanShape> {
  const parameters = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  await client.query("SET plan_cache_mode = 'force_generic_plan'");
  await client.query(`PREPARE ${name} AS ${text}`);
  const values = Array<string>(parameters).fill('NULL').join(', ');
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (COSTS OFF, FORMAT JSON) EXECUTE ${name}${parameters > 0 ? `(${values})` : ''}`,
  );
  const nodes = flatten(rows[0]!['QUERY PLAN'][0].Plan, 0);
  return {
    text: nodes.map(({ node, depth }) => `${'  '.repeat(depth)}${describeNode(node)}`).join('\n'),
    scannedTables: nodes
      .filter(({ node }) => node['Node Type'] === 'Seq Scan')
      .map(({ node }) => node['Relation Name']!),
  };
}

function flatten(node: PlanNode, depth: number): { node: PlanNode; depth: number }[] {
  return [{ node, depth }, ...(node.Plans ?? []).flatMap((child) => flatten(child, depth + 1))];
}

function describeNode(node: PlanNode): string {
  const type = node['Node Type'] === 'ModifyTable' ? node.Operation! : node['Node Type'];
  const arbiters = node['Conflict Arbiter Indexes'];
  return [
    // Of "InitPlan 2 (returns $3)" the numbers depend on the version.
    node['Subplan Name'] && `[${node['Subplan Name'].replace(/^(InitPlan|SubPlan) .*/, '$1')}]`,
    type,
    node['Scan Direction'] === 'Backward' && 'backward',
    node['Index Name'] && `using ${node['Index Name']}`,
    node['Relation Name'] && `on ${node['Relation Name']}`,
    node['CTE Name'] && `on ${node['CTE Name']}`,
    arbiters && `conflicts by ${arbiters.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' ');
}
