import type { Demonstration } from '../../src/cli/demo/demonstration.js';
import type { BenchDatabase } from './database.js';
import type { LoadRequest } from './load.js';
import { codeOf, hashOf, uuidOf } from './tenant.js';

/** An operation under load. */
export interface Scenario {
  readonly name: string;
  /**
   * Creates the rows that the requests consume; each has a number.
   *
   * @param rows how many; more than most runs use up when left out
   */
  prepare?(database: BenchDatabase, tenant: Demonstration, rows?: number): Promise<void>;
  /** Whether the callers have the answer already, and ask whether it is still the same. */
  readonly revalidates?: true;
  /** The request of a number, from 0. */
  request(tenant: Demonstration, number: number): LoadRequest;
}

const PREFIX = '/api/v1';

/** More rows than any run uses up. */
const CONSUMED_ROWS = 120_000;

/** The first twelve operations. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'createGuardrail',
    request: () => ({
      method: 'POST',
      path: `${PREFIX}/guardrails`,
      body: { name: 'Production', description: 'For production', limit_usd: 100, reset_interval: 'monthly' },
    }),
  },
  { name: 'listGuardrails', prepare: makeGuardrails, request: () => get('/guardrails') },
  {
    name: 'exchangeAuthCode',
    prepare: makeCodes,
    request: (tenant, number) => ({
      method: 'POST',
      path: `${PREFIX}/auth/keys`,
      body: { code: codeOf(tenant, number) },
    }),
  },
  {
    name: 'deleteKey',
    prepare: makeKeys,
    request: (_tenant, number) => ({ method: 'DELETE', path: `${PREFIX}/keys/${hashOf(`bench-key-${number}`)}` }),
  },
  {
    name: 'createScimGroupMapping',
    prepare: makeGroups,
    request: (tenant, number) => ({
      method: 'POST',
      path: `${PREFIX}/scim/group-mappings`,
      body: { scim_group_id: uuidOf(`bench-group-${number}`), workspace_id: tenant.workspace.id },
    }),
  },
  { name: 'listScimGroupMappings', request: () => get('/scim/group-mappings') },
  { name: 'listImageModels', request: () => get('/images/models') },
  { name: 'getModel', request: () => get('/model/openai/gpt-5.5') },
  { name: 'listPresetVersions', request: ({ preset_slug }) => get(`/presets/${preset_slug}/versions`) },
  { name: 'listWorkspaceMembers', request: ({ workspace }) => get(`/workspaces/${workspace.slug}/members`) },
  {
    name: 'getObservabilityDestination',
    request: ({ destination_ids }) => get(`/observability/destinations/${destination_ids[5]}`),
  },
  {
    name: 'deleteWorkspaceBudget',
    request: ({ workspace }) => ({ method: 'DELETE', path: `${PREFIX}/workspaces/${workspace.slug}/budgets/daily` }),
  },
];

/** Reads besides those twelve that are asked for all the time. */
export const HOT_READS: readonly Scenario[] = [
  { name: 'getCurrentKey', request: () => get('/key') },
  { name: 'list', prepare: makeListedKeys, request: () => get('/keys') },
  {
    name: 'getGuardrail',
    prepare: makeGuardrails,
    request: () => get(`/guardrails/${uuidOf('bench-guardrail-1')}`),
  },
  { name: 'getModels', request: () => get('/models') },
  { name: 'getModels, unchanged', revalidates: true, request: () => get('/models') },
];

function get(path: string): LoadRequest {
  return { method: 'GET', path: `${PREFIX}${path}` };
}

async function makeGuardrails(database: BenchDatabase, tenant: Demonstration): Promise<void> {
  await database.query('DELETE FROM guardrails');
  await database.query(
    `INSERT INTO guardrails (id, organization_id, workspace_id, name, limit_usd, reset_interval, include_byok_in_budgets, created_at)
     SELECT md5('bench-guardrail-' || n)::uuid, $1, $2, 'Guardrail ' || n, 100, 'monthly', false, now()
     FROM generate_series(1, 20) AS n`,
    [tenant.organization_id, tenant.default_workspace.id],
  );
}

async function makeCodes(database: BenchDatabase, tenant: Demonstration, rows = CONSUMED_ROWS): Promise<void> {
  const hashes = Array.from({ length: rows + 1 }, (_, number) => hashOf(codeOf(tenant, number)));
  await database.query(
    `INSERT INTO authorization_codes (id, code_hash, organization_id, user_id, application_id, callback_url, expires_at, created_at)
     SELECT md5('bench-code-' || n)::uuid, decode(hash, 'hex'), $1, $2,
       (SELECT min(id) FROM oauth_applications), 'https://bench.example/callback', now() + interval '1 day', now()
     FROM unnest($3::text[]) WITH ORDINALITY AS code (hash, n)`,
    [tenant.organization_id, tenant.user_id, hashes],
  );
}

async function makeKeys(database: BenchDatabase, tenant: Demonstration, rows = CONSUMED_ROWS): Promise<void> {
  await database.query(
    `INSERT INTO api_keys (id, organization_id, user_id, kind, hash, name, label, created_at)
     SELECT md5('bench-key-' || n)::uuid, $1, $2, 'api_key', sha256(convert_to('bench-key-' || n, 'UTF8')), 'bench', 'bench', now()
     FROM generate_series(0, ${rows}) AS n`,
    [tenant.organization_id, tenant.user_id],
  );
}

/** Instead of what the deletions have left over. */
async function makeListedKeys(database: BenchDatabase, tenant: Demonstration): Promise<void> {
  await database.query(`DELETE FROM api_keys WHERE name = 'bench'`);
  await makeKeys(database, tenant, 20);
}

async function makeGroups(database: BenchDatabase, tenant: Demonstration, rows = CONSUMED_ROWS): Promise<void> {
  await database.query(
    `INSERT INTO scim_groups (id, organization_id, display_name, created_at, updated_at)
     SELECT md5('bench-group-' || n)::uuid, $1, 'Group ' || n, now(), now() FROM generate_series(0, ${rows}) AS n`,
    [tenant.organization_id],
  );
}
