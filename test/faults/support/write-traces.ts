import { query } from './postgres-server.js';
import { hashOf } from './rows.js';
import { BUDGET_INTERVAL, PRESET_SLUG, type Write } from './writes.js';

/** What writes have left in the database. */
export interface WriteTraces {
  /** How many rows there are of each guardrail, mapping and version, by what identifies it. */
  readonly rows: ReadonlyMap<string, number>;
  /** The hash of every key. */
  readonly keys: ReadonlySet<string>;
  /** Of every code that is used up, by its hash, the hash of its key; null where there is none. */
  readonly redemptions: ReadonlyMap<string, string | null>;
  /** How many keys were created by exchanges. */
  readonly issued: number;
  /** The hashes of the keys that have a guardrail. */
  readonly assigned: ReadonlySet<string>;
  /** How many events tell of a request, by its id. */
  readonly events: ReadonlyMap<string, number>;
  /** What is wrong with the whole, rather than with what one write has left. */
  readonly faults: readonly string[];
}

/** Reads the traces of all writes. */
export async function findTraces(url: string): Promise<WriteTraces> {
  const rows = await query<{ name: string; count: string }>(
    url,
    `SELECT name, count(*) FROM guardrails GROUP BY name
     UNION ALL SELECT scim_group_id::text, count(*) FROM scim_group_mappings GROUP BY scim_group_id
     UNION ALL SELECT system_prompt, count(*) FROM preset_versions GROUP BY system_prompt`,
  );
  const keys = await query<{ hash: string; name: string; is_assigned: boolean }>(
    url,
    `SELECT encode(k.hash, 'hex') AS hash, k.name, a.id IS NOT NULL AS is_assigned
     FROM api_keys k LEFT JOIN guardrail_key_assignments a ON a.key_id = k.id`,
  );
  const redemptions = await query<{ code: string; key: string | null }>(
    url,
    `SELECT encode(c.code_hash, 'hex') AS code, encode(k.hash, 'hex') AS key
     FROM authorization_codes c LEFT JOIN api_keys k ON k.id = c.issued_key_id WHERE c.used_at IS NOT NULL`,
  );
  const events = await query<{ request_id: string; count: string }>(
    url,
    'SELECT request_id, count(*) FROM audit_events WHERE request_id IS NOT NULL GROUP BY request_id',
  );
  return {
    rows: new Map(rows.map(({ name, count }) => [name, Number(count)])),
    keys: new Set(keys.map(({ hash }) => hash)),
    redemptions: new Map(redemptions.map(({ code, key }) => [code, key])),
    issued: keys.filter(({ name }) => name === 'OAuth key').length,
    assigned: new Set(keys.flatMap(({ hash, is_assigned: isAssigned }) => (isAssigned ? [hash] : []))),
    events: new Map(events.map(({ request_id: id, count }) => [id, Number(count)])),
    faults: [...(await versionFaults(url)), ...(await budgetFaults(url))],
  };
}

/** How much of what a write does is there: all of it is 1. Undefined where only its event can tell. */
export function effectOf({ kind, name }: Write, traces: WriteTraces): number | undefined {
  switch (kind) {
    case 'guardrail':
    case 'mapping':
    case 'version':
      return traces.rows.get(name) ?? 0;
    // A rotated key is there by another hash.
    case 'deletion':
    case 'rotation':
      return traces.keys.has(hashOf(name)) ? 0 : 1;
    case 'exchange':
      return traces.redemptions.has(hashOf(name)) ? 1 : 0;
    case 'assignment':
      return name.split(' ').filter((key) => traces.assigned.has(hashOf(key))).length / 2;
    // Another write may have set the same budget since.
    case 'budget':
      return undefined;
  }
}

/** Versions count from 1 to the newest, each of them once. */
async function versionFaults(url: string): Promise<string[]> {
  const [row] = await query<Record<'newest' | 'count' | 'numbers' | 'first' | 'last', number>>(
    url,
    `SELECT max(p.newest_version) AS newest, count(*)::int AS count, count(DISTINCT v.version)::int AS numbers,
       min(v.version) AS first, max(v.version) AS last
     FROM presets p JOIN preset_versions v ON v.preset_id = p.id WHERE p.slug = $1`,
    [PRESET_SLUG],
  );
  const { newest, count, numbers, first, last } = row!;
  const isWhole = count === 0 || (first === 1 && [newest, count, numbers].every((number) => number === last));
  return isWhole ? [] : [`${count} versions, ${numbers} numbers from ${first} to ${last}, the newest ${newest}`];
}

/** A budget is what the last event says that it was set to. */
async function budgetFaults(url: string): Promise<string[]> {
  const rows = await query<{ stored: number; recorded: number | null }>(
    url,
    `SELECT b.limit_usd::float8 AS stored, (
       SELECT (e.changes -> 'limit_usd' ->> 'after')::float8 FROM audit_events e JOIN audit_links l ON l.event_id = e.id
       WHERE e.action IN ('workspace_budget.create', 'workspace_budget.update') ORDER BY l.sequence DESC LIMIT 1) AS recorded
     FROM workspace_budgets b WHERE b.interval = $1`,
    [BUDGET_INTERVAL],
  );
  return rows.flatMap(({ stored, recorded }) =>
    stored === recorded ? [] : [`the budget is ${stored}, and the last event says ${recorded}`],
  );
}
