import type pg from 'pg';

/** A node of a plan, as EXPLAIN (FORMAT JSON) gives it; only what is looked at. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** A statement with parameters. */
export interface AskedStatement {
  readonly text: string;
  /** The parameters as the server takes them: text, or null. A missing one gets a value by its type. */
  readonly values: readonly (string | null)[];
}

/** Values of types that a parameter may have, where it does not matter which. */
const ANY_VALUE: Readonly<Record<string, string>> = {
  uuid: '01a2006a-62a2-7025-85b1-8fd583ec6219',
  'uuid[]': '{01a2006a-62a2-7025-85b1-8fd583ec6219}',
  'text[]': '{text}',
  bytea: '\\x00',
  'bytea[]': '{"\\\\x00"}',
  bigint: '1',
  integer: '1',
  smallint: '1',
  boolean: 'true',
  jsonb: '{}',
  numeric: '1',
  'double precision': '1',
  date: '2026-01-01',
  'timestamp with time zone': '2026-01-01Z',
};

/**
 * The partitions that a statement reads, by its generic plan, as the service has it: PostgreSQL leaves those out that the
 * parameters rule out when it begins to execute the plan.
 *
 * @param text given to parameters of that type which have no value
 * @returns the partitions by their tables
 */
export async function partitionsRead(
  client: pg.Client,
  { text: statement, values }: AskedStatement,
  text: string,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE asked AS ${statement}`);
  try {
    const { rows: types } = await client.query<{ type: string }>(
      `SELECT type FROM pg_prepared_statements, unnest(parameter_types::text[]) AS type WHERE name = 'asked'`,
    );
    const literals = types.map(({ type }, index) => {
      const value = index < values.length ? values[index]! : type === 'text' ? text : (ANY_VALUE[type] ?? null);
      return value === null ? 'NULL' : client.escapeLiteral(value);
    });
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `EXPLAIN (COSTS OFF, FORMAT JSON) EXECUTE asked${literals.length > 0 ? `(${literals.join(', ')})` : ''}`,
    );
    const read = new Map<string, Set<string>>();
    collect(rows[0]!['QUERY PLAN'][0].Plan, read);
    return read;
  } finally {
    await client.query('DEALLOCATE asked');
  }
}

function collect(node: PlanNode, read: Map<string, Set<string>>): void {
  const [, table, partition] = /^(.*)_p(\d+)$/.exec(node['Relation Name'] ?? '') ?? [];
  // A changed row is one that the node below reads.
  if (table !== undefined && partition !== undefined && node['Node Type'] !== 'ModifyTable') {
    read.set(table, (read.get(table) ?? new Set()).add(partition));
  }
  for (const child of node.Plans ?? []) collect(child, read);
}
